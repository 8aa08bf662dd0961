/** Runs before the first paint: the theme and language that this browser chose, where the shell has other ones. */
const page = document.documentElement;
try {
  const theme = localStorage.getItem('gatehouse-theme');
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
  const asked = new URLSearchParams(location.search).has('ui_locales');
  const language = localStorage.getItem('gatehouse-language');
  if (!asked && language !== null && language !== page.lang) {
    page.lang = language;
    // The shell's words are in another language: nobody shall see them.
    page.dataset.waits = '';
  }
} catch {
  // Storage is forbidden here: the system's theme and the asked language it is.
}
