// Before anything is drawn: the colours that were chosen in the console, or here.
const theme = localStorage.getItem('weft.theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
