import { FormPage } from '../base/form-page.tsx';
import { Load, lazyPiece } from '../kit/load.tsx';
import { t } from '../text/language.ts';
import type { SecondStepProps } from './second-step.tsx';

const loadSecondStep = lazyPiece(() => import('./second-step.tsx'));

export const SecondStepPage = (props: SecondStepProps) => (
  <FormPage title={t().signIn.codeTitle}>
    <Load request={loadSecondStep}>{({ SecondStep }) => <SecondStep {...props} />}</Load>
  </FormPage>
);
