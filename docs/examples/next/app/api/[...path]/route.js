import { gatehouse } from '../../../gatehouse.js';

const answer = async (request) => (await gatehouse()).answer(request);

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as PATCH, answer as POST };
