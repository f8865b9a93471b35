// Without its font, which would be most of what a page loads.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
