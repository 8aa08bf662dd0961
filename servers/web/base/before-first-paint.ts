/** Runs before the first paint: applies the theme and language of this tab, browser or account. */
const page = document.documentElement;
try {
  const theme = localStorage.getItem('gatehouse-theme');
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
  // The language that the address named before the tab went to another site and came back.
  const carried = sessionStorage.getItem('gatehouse-carried-language');
  sessionStorage.removeItem('gatehouse-carried-language');
  const language =
    carried ??
    localStorage.getItem('gatehouse-language') ??
    localStorage.getItem('gatehouse-account-language');
  // With `fromAddress` the address names the language, which overrides all others.
  if (!('fromAddress' in page.dataset) && language !== null && language !== page.lang) {
    page.lang = language;
    // The shell's text is in another language: the styles hide it until the scripts replace it, for at most 3 s.
    page.dataset.waits = '';
  }
  // The scripts that run later must treat the carried language as one that the address named.
  if (carried !== null) page.dataset.fromAddress = '';
} catch {
  // Without storage the system's theme and the requested language apply.
}
