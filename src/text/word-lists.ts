import { withoutMarks } from './marks.ts';

const list = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const setOf = (...texts: readonly string[]): ReadonlySet<string> => new Set(texts.flatMap(list));

const GRAMMAR = `a about above after again all also am an and any are as at be because been before
  being below between both but by ca can could did do does doing down during each ever few for from
  further had has have having he her here hers him his how i if in into is it its just like many me
  more most much my no nor not now of off on once only or other our ours out over own same she
  should so some such than that the their theirs them then there these they this those through to
  too under until up us very was we were what when where which while who whom whose why will with wo
  would you your yours`;
/** Words that say little. */
const FILLERS = `anyone anything else everyone everything get give go goes going got itself let make
  may might mine must myself really shall someone something still take well yes yourself`;
/** Words that say little, but may be the subject of a question. */
const WEAK = `always among another around away back became become began came cannot come comes done
  either even every gave gets getting gone gonna herself himself however im ive keep kept lets
  likely lot lots made makes making maybe need needs neither none often one ones onto others ought
  per perhaps put quite rather see seem seems seen set several since soon taken takes taking
  themselves thing things though thus till together took toward towards upon use used uses using via
  wanna way went whether within without yet st nd rd th etc eg ie vs`;
/** Words that report speech, and words for the people and the talk itself. */
const SPEECH = `say says said saying tell tells told telling ask asks asked asking mention mentions
  mentioned mentioning explain explains explained explaining note notes noted discuss discusses
  discussed discussing talk talks talked talking speak speaks spoke speaking state states stated
  describe describes described share shares shared sharing according conversation speaker people
  person participant participants user users assistant agent`;
const COURTESY = `hi hello hey morning afternoon evening good great nice cool ok okay sure right
  yeah yep yes please thanks thank cheers bye welcome fine sorry sounds`;
/** Of Italian, French, German, Spanish, Polish, Russian, Chinese and Japanese. */
const OTHER_LANGUAGES = `
  il lo la i gli le un uno una di a da in con su per tra fra e o ma che chi cui non si mi ti ci vi
  ne del dello della dei degli delle al allo alla ai agli alle dal dalla nel nella nei nelle sul
  sulla sono sei e siamo siete era ho hai ha abbiamo hanno questo questa quello quella piu come
  anche io tu lui lei noi voi loro mio mia suo sua
  le la les un une des de du et ou mais que qui quoi ne pas se me te ce cet cette ces au aux en dans
  par pour sur avec sans est sont etait ai as avons ont je tu il elle nous vous ils elles mon ma mes
  son sa ses plus aussi
  der die das den dem des ein eine einer eines einem einen und oder aber dass nicht sich mich mir
  dich dir ist sind war waren habe hast hat haben wird werden wurde im in am an auf aus bei mit nach
  von vom zu zum zur fur um als auch noch nur schon sehr ich du er sie es wir ihr mein meine sein
  seine ihre was wie wer wo wann warum wem wen wessen welche welcher welches welchen welchem
  woher wohin meinen meiner meinem meines unser unsere unseren unserer unserem
  el la los las un una unos unas de del al y o pero que quien no se me te lo le les en con por para
  sin sobre es son era fue he ha han hay yo tu ella nosotros ellos mi mis su sus mas tambien como
  muy este esta ese esa estoy estamos donde cuando cual cuales cuanto cuanta cuantos cuantas
  nuestro nuestra nuestros nuestras
  i a w we z ze na do od po za o u nie to ten ta te tego tej ze jest sa byl byla bylo byly sie mnie
  mi ciebie ci go jej jego ich ja ty on ona ono my wy oni jak co czy tak ale oraz albo dla juz tez
  bardzo moj moja swoj
  и в во не на я с со что он она оно они мы вы ты а то все его ее их мне меня мой моя но да по за у
  от из о об для это как так был была было были есть же бы уже еще
  的 了 是 在 我 你 他 她 它 们 我们 你们 他们 她们 和 与 也 都 就 说 着 过 吗 呢 吧 啊 不 没 有 很 这 那 个 一个 会 要 到 把 被
  です ます した する して いる ある こと もの これ それ から まで`;

/** English words that tell nothing of the subject of a query: of grammar, and for a name. */
export const STOP_WORDS = setOf(GRAMMAR, 'name names');

/** Words of a message that call for no memory: of grammar, of courtesy and of requests. */
export const CALLING_FOR_NOTHING = setOf(GRAMMAR, FILLERS, COURTESY, 'say tell want nothing');

/** Words without content in ten languages, without diacritics. */
export const EMPTY_WORDS = setOf(
  ...[GRAMMAR, FILLERS, WEAK, SPEECH, OTHER_LANGUAGES].map(withoutMarks),
);

/** Those of them in other languages than English. */
export const FOREIGN_EMPTY_WORDS = setOf(withoutMarks(OTHER_LANGUAGES));

/** Words of greeting, thanks and assent. */
export const PLEASANTRIES = setOf(
  COURTESY,
  `hiya yo howdy greetings night awesome amazing wonderful fantastic fabulous super wow yay haha
  hahaha lol alright yup nope thx goodbye ciao congrats congratulations glad happy sweet perfect
  excellent lovely fun cute absolutely definitely exactly totally indeed agreed hear hearing sound
  looks look forward later tomorrow today care day week weekend talk speak catch hope meet buddy pal
  friend dude mate guys man there chat stuff pretty super worries problem pleasure enjoy appreciate
  luck best wishes hug hugs hmm oh ah um uh ciao buongiorno grazie prego hallo danke bitte tschuss
  bonjour merci salut hola gracias adios czesc dziekuje привет спасибо пока 你好 谢谢 再见`,
);

/** Words of small talk that tell nothing of a subject, so they are no keywords. */
export const CHATTER: ReadonlySet<string> = new Set([
  ...PLEASANTRIES,
  ...list(`love loved loves enjoy enjoyed enjoying think thinks thinking thought feel feels feeling
    felt know knows known knew want wants wanted wanting try tries tried trying seem start starts
    started starting help helps helped helping able actually almost already anyway bit big bunch
    cause couple course different excited exciting experience idea interesting kind last least
    little long maybe mean mind moment much new next old part past place plan plans point proud
    ready reason recently remember right small sort special stay stuff support sure sweet tell time
    times tough true usually wait watch whole wish wonder work works worked working world worth year
    years yesterday yet two three four five six seven eight nine ten first second bring brings
    brought makes keep keeps feelings inspiring inspired incredible impressive beautiful cool
    awesome journey passion super stoked yup check checked`),
]);

const UNITS = `zero one two three four five six seven eight nine ten eleven twelve thirteen
  fourteen fifteen sixteen seventeen eighteen nineteen`;
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';

/** English number words with their values. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...list(UNITS).map((word, value) => [word, value] as const),
  ...list(TENS).map((word, index) => [word, (index + 2) * 10] as const),
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
]);

/** Irregular English forms: each list begins with the form whose stem they share. */
export const IRREGULAR: readonly (readonly string[])[] =
  `begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|
  choose chose chosen|die died dying|draw drew drawn|drink drank drunk|drive drove driven|eat
  ate eaten|fall fell fallen|feel felt|fight fought|find found|fly flew flown|forget forgot
  forgotten|freeze froze frozen|grow grew grown|hear heard|hide hid hidden|hold held|keep
  kept|know knew known|lead led|learn learnt|leave left|lend lent|lie lied lying|lose lost|
  mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|sell
  sold|send sent|shoot shot|show shown|sing sang sung|sit sat|sleep slept|spend spent|stand
  stood|steal stole stolen|swim swam swum|teach taught|tear tore torn|think thought|throw
  threw thrown|tie tied tying|understand understood|wake woke woken|wear wore worn|win won|
  write wrote written|child children|man men|woman women|foot feet|tooth teeth|mouse mice|
  wife wives|live lives life|half halves|knife knives|shelf shelves|bad worse worst|good
  better best`
    .split('|')
    .map(list);
