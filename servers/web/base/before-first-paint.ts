/** Runs before the first paint: applies the theme and language of this browser or its account. */
const page = document.documentElement;
try {
  const theme = localStorage.getItem('gatehouse-theme');
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
  const language =
    localStorage.getItem('gatehouse-language') ?? localStorage.getItem('gatehouse-account-language');
  if (!('fromAddress' in page.dataset) && language !== null && language !== page.lang) {
    page.lang = language;
    // The shell's text is in another language: the styles hide it until the scripts run, or for a while.
    page.dataset.waits = '';
  }
} catch {
  // Without storage the system's theme and the requested language apply.
}
