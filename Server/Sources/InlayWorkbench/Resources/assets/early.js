// Runs before the first paint, so that the styles for pages without scripts are never visible when scripts run.
document.documentElement.classList.remove("no-js");
