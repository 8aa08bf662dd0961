export { contrast, type Hex } from './oklch.ts';
export { DEFAULT_COLOUR, type Themes, type TokenName, type Tokens, themesOf } from './theme-colours.ts';
