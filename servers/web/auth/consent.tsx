import { config } from '../base/config.ts';
import { link } from '../kit/link.ts';
import { t } from '../text/language.ts';

/** Says that a new user agrees to the terms and the privacy policy, with a link to each; omits what the settings do not name. */
export const Consent = () => {
  const { terms, privacy } = config.links;
  const { consent } = t().auth.signUp;
  if (terms === null && privacy === null) return null;
  const textOfOne = terms === null ? consent.privacy : consent.terms;
  const text = terms !== null && privacy !== null ? consent.both : textOfOne;
  const links = { terms: [terms, consent.termsName], privacy: [privacy, consent.privacyName] } as const;
  return (
    <p class="muted small">
      {/* `split` also returns what the group matches: the name of each placeholder, between the texts before and after it. */}
      {text.split(/\{(terms|privacy)\}/).map((part) => {
        if (part !== 'terms' && part !== 'privacy') return part;
        // The text names only links that have an address.
        const [address, name] = links[part];
        return (
          <a key={part} href={link(address ?? '')}>
            {name}
          </a>
        );
      })}
    </p>
  );
};
