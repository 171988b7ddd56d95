/** Something to run the tour with; a user changes a word and starts it again. */
export const TOUR_CONTEXT = {
  title: 'Marie Curie',
  text:
    'Marie Curie was born in Warsaw in 1867. She moved to Paris in 1891 and studied physics at ' +
    'the Sorbonne.\n\nWith Pierre Curie she discovered polonium and radium. She is the first ' +
    'person to win two Nobel Prizes.',
  question: 'Where was Marie Curie born?',
};
