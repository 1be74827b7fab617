// Shows a page in a browser on a desk and on a phone, light and dark, and judges what is seen:
//   node page.mjs BROWSER PAGE FOLDER-FOR-PICTURES '["words that must be seen, in this order", …]'
import assert from 'node:assert';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [executablePath, file, pictures, words] = process.argv.slice(2);
const url = pathToFileURL(file).href;
// A sandbox is not to be had as root, nor in most containers.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

const sizes = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

// What is wrong with what is shown. Runs in the page.
function judge() {
  const faults = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`scrolls sideways: ${scrollWidth} > ${clientWidth}`);
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).slice(0, 3)
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const element of document.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.right > clientWidth + 0.5) faults.push(`${element.tagName} ends at ${box.right}`);
    if (element.tagName === 'SUMMARY' && box.height < 44) faults.push(`a tap target of ${box.height} px`);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText || box.height === 0) continue;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < 12) faults.push(`${style.fontSize}: ${element.textContent}`);
    const [light, dark] = [style.color, ground(element)].map(luminance).sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${element.textContent}`);
  }
  return faults;
}

const plain = (text) => text.replace(/\s+/g, ' ');
const grounds = {};
for (const [size, options] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    const shown = `${size}-${colorScheme}`;
    const context = await browser.newContext({ ...options, colorScheme });
    const page = await context.newPage();
    const said = [];
    page.on('console', (message) => said.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error}`));
    page.on('dialog', (dialog) => { said.push('a dialog'); dialog.dismiss(); });
    page.on('request', (request) => {
      if (request.url() !== url && request.url() !== 'data:,') said.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await page.screenshot({ path: `${pictures}/${shown}.png` });
    for (const summary of await page.locator('summary').all()) await summary.click();
    const faults = await page.evaluate(judge);
    let text = plain(await page.evaluate(() => document.body.innerText));
    for (const word of JSON.parse(words).map(plain)) {
      const at = text.indexOf(word);
      if (at < 0) faults.push(`not seen: ${word}`);
      else text = text.slice(at);
    }
    assert.deepEqual([...said, ...faults], [], shown);
    grounds[shown] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await context.close();
  }
}
assert.notEqual(grounds['desk-light'], grounds['desk-dark']);
await browser.close();
