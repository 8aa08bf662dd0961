import { kit } from './en/kit.ts';
import { problems } from './en/problems.ts';
import { start } from './en/start.ts';
import { titles } from './en/titles.ts';

const texts = { kit, problems, start, titles };

/** Every text of the pages. Another language that lacks one does not compile. */
export type Texts = typeof texts;

export default texts;
