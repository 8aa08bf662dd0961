export * from '../../text/pl/kit.ts';
export * from './pl/frame.ts';
// `kit.ts` and `frame.ts` both export `signedOut`: the console's own is used.
export { signedOut } from './pl/frame.ts';
export * from './pl/page-titles.ts';
export * from './pl/problems.ts';
