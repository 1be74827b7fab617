// Looks at the live page as a person would: node look.mjs BROWSER URL TOKEN SECONDS FOLDER
// Prints what it has found as one line of JSON; pictures go to the folder, if there is one.
import { chromium } from 'playwright-core';

const [executablePath, url, token, seconds, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const said = [];
const asked = new Set();

// One that watches what the page says, asks for and where it breaks.
async function open(width, height, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => asked.add(`${request.method()} ${request.url()}`));
  await page.goto(url);
  return page;
}

async function unlock(page, shown) {
  await page.fill('#token', shown);
  await page.click('#ask button');
}

async function picture(page, name) {
  if (folder && name !== 'live-360-dark') await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

const found = {};
const wide = await open(1200, 900, 'light');
await wide.waitForSelector('#ask', { state: 'visible' });
found.locked = await wide.isHidden('#main');
await unlock(wide, `${token}x`);
await wide.waitForFunction(() => document.getElementById('banner').textContent !== '');
found.wrong = await wide.textContent('#banner');
await unlock(wide, token);
await wide.waitForSelector('#main', { state: 'visible' });
const [dark, narrow, narrowDark] = [
  await open(1200, 900, 'dark'), await open(360, 740, 'light'), await open(360, 740, 'dark'),
];
for (const page of [dark, narrow, narrowDark]) {
  await unlock(page, token);
  await page.waitForSelector('#main', { state: 'visible' });
}
const pages = { 'live-light': wide, 'live-dark': dark, 'live-360': narrow, 'live-360-dark': narrowDark };
await wide.waitForTimeout(1000 * Number(seconds));
found.overflows = [];
found.grounds = {};
for (const [name, page] of Object.entries(pages)) {
  await page.bringToFront();
  await page.waitForSelector('#chart rect');
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (over > 0) found.overflows.push([name, over]);
  found.grounds[name] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await picture(page, name);
}

const section = (id) => wide.textContent(`#${id}`);
found.text = {};
for (const id of ['state', 'ready', 'tiles', 'codes', 'turned-away', 'refused', 'domains', 'keys', 'catalogs', 'hosts', 'sessions']) {
  found.text[id] = await section(id);
}
found.images = await wide.locator('img, iframe, object, a').count();
// What the policy stops: a text that becomes markup, a script in the page, a stranger.
const quiet = said.length;
found.markup = await wide.evaluate(() => {
  try {
    document.body.insertAdjacentHTML('beforeend', '<img src=x>');
    return 'made';
  } catch (error) {
    return error.name;
  }
});
found.stranger = await wide.evaluate(() => fetch('http://127.0.0.1:1/').then(() => 'asked', (error) => error.name));
found.inline = await wide.evaluate(() => {
  const script = document.createElement('script');
  try { script.textContent = 'window.ran = true'; } catch { return false; }
  document.body.append(script);
  return Boolean(window.ran);
});
said.length = quiet;

await wide.click('#pause');
await wide.waitForTimeout(500);
const before = asked.size && (await wide.textContent('#tiles'));
await wide.waitForTimeout(5000);
found.paused = before === (await wide.textContent('#tiles'));
await wide.click('#pause');
await wide.waitForFunction((then) => document.getElementById('tiles').textContent !== then, before);
await wide.route('**/v1/status', (route) => route.abort());
await wide.waitForSelector('#banner', { state: 'visible' });
found.away = await wide.textContent('#banner');
await wide.unroute('**/v1/status');
await wide.waitForSelector('#banner', { state: 'hidden' });

found.asked = [...asked].map((request) => request.replace(url.replace(/\/$/, ''), '')).sort();
// A browser tells of each answer that is no good: those without the token, and the one that was cut.
found.said = said.filter((text) => !/status of 401|ERR_FAILED/.test(text));
console.log(JSON.stringify(found));
await browser.close();
