export * from './pl/account.ts';
export * from './pl/kit.ts';
export * from './pl/page-titles.ts';
export * from './pl/problems.ts';
