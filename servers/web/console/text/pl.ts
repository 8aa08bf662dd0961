import { kit } from '../../text/pl/kit.ts';
import type { ConsoleTexts } from './en.ts';
import { overview, statistics } from './pl/figures.ts';
import { frame, proof, signIn } from './pl/frame.ts';
import { audit, deliveries, jobs, keys, mails } from './pl/logs.ts';
import { acts, user, users } from './pl/people.ts';
import { problems } from './pl/problems.ts';
import { titles } from './pl/titles.ts';

const texts: ConsoleTexts = {
  ...{ kit, titles, problems, frame, signIn, proof, overview, statistics },
  ...{ users, user, acts, audit, mails, deliveries, jobs, keys },
};

export default texts;
