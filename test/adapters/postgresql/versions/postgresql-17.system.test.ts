import { describeOnVersion } from './on-version.ts';

describeOnVersion(17);
