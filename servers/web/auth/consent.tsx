import { config } from '../base/config.ts';
import { link } from '../kit/link.ts';
import { t } from '../text/language.ts';

/** What somebody agrees to by creating an account, where the settings name such documents. */
export const Consent = () => {
  const { terms, privacy } = config.links;
  const { consent } = t().auth.signUp;
  if (terms === null && privacy === null) return null;
  const textOfOne = terms === null ? consent.privacy : consent.terms;
  const text = terms !== null && privacy !== null ? consent.both : textOfOne;
  const links = { terms: [terms, consent.termsName], privacy: [privacy, consent.privacyName] } as const;
  return (
    <p class="muted small">
      {text.split(/\{(terms|privacy)\}/).map((part) => {
        if (part !== 'terms' && part !== 'privacy') return part;
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
