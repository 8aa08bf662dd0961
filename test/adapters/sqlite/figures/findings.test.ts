import { makeSqliteFindings } from '../../../../adapters/sqlite/figures/findings.ts';
import { findingsContract } from '../../../contracts/findings.ts';
import { openedStore } from '../opened.ts';

findingsContract('SQLite', openedStore(makeSqliteFindings));
