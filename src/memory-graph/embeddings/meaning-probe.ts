/** A question and the sentence that answers it, mostly in other words. */
export interface ProbePair {
  readonly question: string;
  readonly answer: string;
}

/** The built-in set that measures an embedding model. Every other answer is a distractor. */
export const PROBE_PAIRS: readonly ProbePair[] = [
  { question: 'Which animal lives with Nora?', answer: 'Nora: We adopted a beagle last spring.' },
  {
    question: 'What does Tom do for a living?',
    answer: 'Tom: I started as a nurse in the clinic.',
  },
  { question: 'Where is the family going on holiday?', answer: 'Our flights to Crete are booked.' },
  { question: 'What is Nora allergic to?', answer: 'Nora: Peanuts make my throat swell up.' },
  { question: 'Which instrument is he learning?', answer: 'He practises the cello every evening.' },
  { question: 'How did the exam go?', answer: 'I passed the test with the best grade in class.' },
  { question: 'Why did the build break?', answer: 'A missing semicolon made the compiler fail.' },
  { question: 'Who repaired the car?', answer: 'The mechanic replaced the brakes on Monday.' },
  { question: 'What food does she like most?', answer: 'Nothing beats a plate of fresh pasta.' },
  { question: 'When were they married?', answer: 'Our wedding was in June, ten years ago.' },
  { question: 'Which sport does Tom play?', answer: 'Tom: Tennis keeps me fit on weekends.' },
  { question: 'Is anyone in the family ill?', answer: 'My father is in hospital with pneumonia.' },
  { question: 'How is the weather there?', answer: 'It has rained and stormed for three days.' },
  { question: 'What did she read recently?', answer: 'I finished a long novel about whales.' },
  { question: 'Where does his sister live?', answer: 'Emily moved into a flat in Lisbon.' },
  { question: 'What was the present?', answer: 'They gave me a silver watch for my birthday.' },
  { question: 'How much money is needed?', answer: 'The repair costs four hundred euros.' },
  { question: 'Which database does the team use?', answer: 'We store the orders in Postgres.' },
  { question: 'What is planned for the garden?', answer: 'We want to plant roses and tomatoes.' },
  { question: 'Which film did they watch?', answer: 'The cinema showed an old western.' },
  {
    question: 'What keeps him awake at night?',
    answer: 'The baby cries until four, so I am tired.',
  },
  { question: 'Which language is she studying?', answer: 'My Japanese class begins at noon.' },
  { question: 'How do they travel to work?', answer: 'I take the tram and then a bicycle.' },
  { question: 'What made her angry?', answer: 'It was rude of the landlord to shout at me.' },
];
/** Sentences that share words with the questions and answer none of them. */
export const PROBE_DISTRACTORS: readonly string[] = [
  'Hi, how are you? It is great to hear from you.',
  'Nora: What do you like to do there?',
  'Tom: Which one of them is it?',
  'When were you there, and who was with you?',
  'I have no plans for the night.',
  'They use it for work and travel a lot.',
  'Thanks! That was a nice weekend, we talked and laughed.',
  'How did you like it? I made it for the team.',
];
