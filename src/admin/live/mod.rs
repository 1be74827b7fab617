//! The live page, which a browser makes of the documents of `/v1/`: markup, style and program, each a
//! file of its own. There is nothing in them but how to show it, so whoever gets to the listener may
//! have them; the token is for what they ask for.

/// What the browser may do with it: run and ask for what comes from this endpoint, and make no
/// markup of a text.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// A file of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) body: &'static str,
}

const PARTS: [Part; 3] = [
    Part {
        path: "/",
        content_type: "text/html; charset=utf-8",
        body: include_str!("page.html"),
    },
    Part {
        path: "/live.css",
        content_type: "text/css; charset=utf-8",
        body: include_str!("page.css"),
    },
    Part {
        path: "/live.js",
        content_type: "text/javascript; charset=utf-8",
        body: include_str!("page.js"),
    },
];

/// The file at this path, if it is one of the page.
pub(super) fn part(path: &str) -> Option<Part> {
    PARTS.into_iter().find(|part| part.path == path)
}
