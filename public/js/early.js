// Runs before the page is drawn, so that a chosen theme and language never flash.
(function () {
  try {
    var theme = localStorage.getItem('farol.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage refused: the system's theme it is.
  }
  document.documentElement.classList.add('has-script');
})();
