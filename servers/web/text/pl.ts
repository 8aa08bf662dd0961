import type { Texts } from './en.ts';
import { kit } from './pl/kit.ts';
import { problems } from './pl/problems.ts';
import { start } from './pl/start.ts';
import { titles } from './pl/titles.ts';

const texts: Texts = { kit, problems, start, titles };

export default texts;
