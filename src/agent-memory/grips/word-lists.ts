const list = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const ENGLISH = `a about after again all also always am among an and another any anyone anything are around as at
  away back be became because become been before began being between both but by came can cannot ca come comes could
  did do does doing done down during each either else even ever every everyone everything few for from further gave get
  gets getting give go goes going gone gonna got had has have having he her here hers herself him himself his how
  however i if im in into is it its itself ive just keep kept let lets like likely lot lots made make makes making many
  may maybe me might mine more most much must my myself need needs neither no none nor not now of off often on once one
  ones only onto or other others ought our ours out over own per perhaps put quite rather really same see seem seems
  seen set several shall she should since so some someone something soon still such take taken takes taking than that
  the their theirs them themselves then there these they thing things this those though through thus till to together
  too took toward towards under until up upon us use used uses using very via wanna was way we well went were what
  when where whether which while who whom whose why will with within without wo would yes yet you your yours yourself
  st nd rd th etc eg ie vs`;
/** Words that report speech, and words for the people and the talk itself. */
const SPEECH = `say says said saying tell tells told telling ask asks asked asking mention mentions mentioned
  mentioning explain explains explained explaining note notes noted discuss discusses discussed discussing talk talks
  talked talking speak speaks spoke speaking state states stated describe describes described share shares shared
  sharing according conversation speaker people person participant participants user users assistant agent`;
const ITALIAN = `il lo la i gli le un uno una di a da in con su per tra fra e o ma che chi cui non si mi ti ci vi ne
  del dello della dei degli delle al allo alla ai agli alle dal dalla nel nella nei nelle sul sulla sono sei e siamo
  siete era ho hai ha abbiamo hanno questo questa quello quella piu come anche io tu lui lei noi voi loro mio mia suo
  sua`;
const FRENCH = `le la les un une des de du et ou mais que qui quoi ne pas se me te ce cet cette ces au aux en dans par
  pour sur avec sans est sont etait ai as avons ont je tu il elle nous vous ils elles mon ma mes son sa ses plus aussi`;
const GERMAN = `der die das den dem des ein eine einer eines einem einen und oder aber dass nicht sich mich mir dich dir
  ist sind war waren habe hast hat haben wird werden wurde im in am an auf aus bei mit nach von vom zu zum zur fur um
  als auch noch nur schon sehr ich du er sie es wir ihr mein meine sein seine ihre`;
const SPANISH = `el la los las un una unos unas de del al y o pero que quien no se me te lo le les en con por para sin
  sobre es son era fue he ha han hay yo tu ella nosotros ellos mi mis su sus mas tambien como muy este esta ese esa`;
const POLISH = `i a w we z ze na do od po za o u nie to ten ta te tego tej ze jest sa byl byla bylo byly sie mnie mi
  ciebie ci go jej jego ich ja ty on ona ono my wy oni jak co czy tak ale oraz albo dla juz tez bardzo moj moja swoj`;
const RUSSIAN = `и в во не на я с со что он она оно они мы вы ты а то все его ее их мне меня мой моя но да по за у от из о
  об для это как так был была было были есть же бы уже еще`;
const CHINESE = `的 了 是 在 我 你 他 她 它 们 我们 你们 他们 她们 和 与 也 都 就 说 着 过 吗 呢 吧 啊 不 没 有 很 这 那 个 一个 会 要 到 把 被`;
const JAPANESE = 'です ます した する して いる ある こと もの これ それ から まで';

/** Words without content, as `keyOf` in words.ts writes them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  list(
    [ENGLISH, SPEECH, ITALIAN, FRENCH, GERMAN, SPANISH, POLISH, RUSSIAN, CHINESE, JAPANESE].join(
      ' ',
    ),
  ).map((word) => word.normalize('NFD').replace(/\p{M}+/gu, '')),
);

const UNITS = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`;
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

/** Irregular English forms with the stem of their verb or noun. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `begin begun|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|cost costs|
  cut cutting|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feel felt|
  fight fought|find found|fli flew flown flies|forget forgot forgotten|freez froze frozen|grow grew grown|hear heard|
  hide hid hidden|hold held|hurt hurts|know knew known|lead led|learn learnt|leav left leave leaves leaving|lend lent|
  lose lost losing|mean meant|meet met meeting|pai paid pay pays paying|read reads|rid rode ridden ride rides riding|
  ring rang rung|ris rose risen rise|run ran running|sell sold|send sent|shoot shot|show shown|sing sang sung|
  sit sat sitting|sleep slept|spend spent|stand stood|steal stole stolen|swim swam swum swimming|teach taught|
  tear tore torn|think thought|throw threw thrown|understand understood|wak woke woken wake|wear wore worn|
  win won winning|writ wrote written write writes writing|child children|man men|woman women|foot feet|tooth teeth|
  mous mice|wif wives wife|lif lives life|half halves|knif knives knife|shelf shelves|bad worse worst|good better best`
    .split('|')
    .flatMap((line) => {
      const [stem = '', ...forms] = list(line);
      return [stem, ...forms].map((form) => [form, stem] as const);
    }),
);

/** Words of greeting, thanks and assent. */
export const PLEASANTRIES: ReadonlySet<string> = new Set(
  list(`hi hello hey hiya yo howdy greetings morning afternoon evening night good great nice cool awesome amazing
    wonderful fantastic fabulous super wow yay haha hahaha lol ok okay alright sure right yeah yep yup nope please
    thanks thank thx cheers bye goodbye ciao welcome congrats congratulations glad happy sorry sweet perfect excellent
    lovely fun cute absolutely definitely exactly totally indeed agreed hear hearing sounds sound looks look forward
    later tomorrow today care day week weekend talk speak catch hope meet buddy pal friend dude mate guys man there
    chat stuff pretty super worries problem pleasure enjoy appreciate luck best wishes hug hugs hmm oh ah um uh
    ciao buongiorno grazie prego hallo danke bitte tschuss bonjour merci salut hola gracias adios czesc dziekuje
    привет спасибо пока 你好 谢谢 再见`),
);

/** Words of small talk that tell nothing of a subject, so they are no keywords. */
export const CHATTER: ReadonlySet<string> = new Set([
  ...PLEASANTRIES,
  ...list(`love loved loves enjoy enjoyed enjoying think thinks thinking thought feel feels feeling felt know knows
    known knew want wants wanted wanting try tries tried trying seem start starts started starting help helps helped
    helping able actually almost already anyway bit big bunch cause couple course different excited exciting
    experience idea interesting kind last least little long maybe mean mind moment much new next old part past place
    plan plans point proud ready reason recently remember right small sort special stay stuff support sure sweet tell
    time times tough true usually wait watch whole wish wonder work works worked working world worth year years yesterday
    yet two three four five six seven eight nine ten first second bring brings brought makes keep keeps feelings
    inspiring inspired incredible impressive beautiful cool awesome journey passion super stoked yup check checked`),
]);
