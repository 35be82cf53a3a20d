// Before the first paint: a page that has scripts never shows, not even for a moment, how it looks without.
document.documentElement.classList.remove("no-js");
