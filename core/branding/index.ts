export { contrast, type Hex } from './colour.ts';
export { DEFAULT_COLOUR, type Themes, type TokenName, type Tokens, themesOf } from './tokens.ts';
