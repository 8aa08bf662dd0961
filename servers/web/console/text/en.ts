import { kit } from '../../text/en/kit.ts';
import { overview, statistics } from './en/figures.ts';
import { frame, proof, signIn } from './en/frame.ts';
import { audit, deliveries, jobs, keys, mails } from './en/logs.ts';
import { acts, user, users } from './en/people.ts';
import { problems } from './en/problems.ts';
import { titles } from './en/titles.ts';

const texts = {
  ...{ kit, titles, problems, frame, signIn, proof, overview, statistics },
  ...{ users, user, acts, audit, mails, deliveries, jobs, keys },
};

/** Every text of the console. Another language that lacks one does not compile. */
export type ConsoleTexts = typeof texts;

export default texts;
