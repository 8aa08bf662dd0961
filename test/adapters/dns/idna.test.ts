import { domainNames } from '../../../adapters/dns/idna.ts';
import { testDomainNames } from '../../contracts/domain-names.ts';

testDomainNames('node:url', () => domainNames);
