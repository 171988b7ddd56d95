// Closed classes of words that begin with a capital for other reasons than being a name.

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words of today that wink's dictionary lacks; without them a sentence start would be a name. */
export const MODERN_WORDS = words(`
  config configs repo repos backend backends frontend frontends refactor refactors refactoring
  refactored rollout rollouts login logins signup signups selfie selfies hashtag hashtags blogs apps
  emoji emojis gif gifs memes vlog vlogs startups standup standups webhook webhooks dev devs async
  sync params param admin admins auth timeout timeouts schemas cron cronjob cronjobs api apis json
  yaml toml sql csv pdf pdfs localhost middleware microservice microservices dropdown dropdowns
  checkbox checkboxes tooltip tooltips navbar sidebar changelog readme workflows linting linter
  linters typos hotfix hotfixes bugfix bugfixes upsert upserts regex regexp fiancé fiancée kiddo
  kiddos bestie besties coworker coworkers homeschool meetup meetups gelato focaccia prosecco ramen
  quinoa kombucha pilates crossfit zumba setlist prequel cosplay gamer gamers esports livestream
  livestreams smartphone smartphones earbuds rebased rebasing rebase reran rerun reruns redeploy
  redeployed rollback rollbacks staging prod runtime namespace namespaces hostname hostnames
  filename filenames filesystem username usernames codebase codebases whiteboard onboarding
  offboarding brainstorming tiramisu sourdough pesto hummus edamame matcha boba airfryer tbh
`);

/** Interjections, greetings and slang. */
export const INTERJECTIONS = words(`
  hi hello hey hiya ciao hola bonjour greetings welcome bye goodbye goodnight cheers thanks thank
  thx tysm np please pls plz sorry yes yeah yep yup ya no nope nah ok okay okie k alright right sure
  great good nice cool awesome perfect excellent fantastic wonderful amazing lovely glad happy sweet
  neat fine super brilliant congrats congratulations hmm hm mmm mm um umm uh uhm huh eh ah aha ahh
  oh ohh ooh oops ouch wow woah whoa yay hooray haha hahaha hehe heh phew ugh meh duh gosh geez jeez
  gee yikes sheesh welp heck dang darn damn omg lol lmao rofl btw fyi imo imho idk afaik tbh ikr brb
  ttyl nvm asap tldr bro dude guys folks well so anyway anyways gonna wanna gotta lemme gimme dunno
  kinda sorta cuz coz tho sup hopefully indeed exactly absolutely definitely totally agreed
  understood noted done voila bravo amen check
`);

/** Pronouns, function words and auxiliaries; also where a title writes them large. */
export const FUNCTION_WORDS = words(`
  i i'm i've i'd i'll me my mine myself we us our ours you your yours he him his she her hers it its
  they them their theirs this that these those who whom whose what which when where why how there
  here a an the and or but nor yet if then than because since while although though unless until as
  at by for from in into of off on onto out over to under up with within without about after again
  against all also always am among any anybody anyone anything are around be been before being below
  between both can could did do does doing down during each either else ever every everybody
  everyone everything few first had has have having however is just last later least less let let's
  like little lots made make many may maybe might more most much must neither never next nobody none
  not nothing now often once one only other others otherwise perhaps quite rather really same
  several shall should some somebody someone something sometimes soon still such through throughout
  too toward towards two three usually very was were will would yesterday today tomorrow tonight ago
  already almost instead meanwhile
`);

const TIMES = words(`
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
  fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun january february march april
  may june july august september october november december jan feb mar apr jun jul aug sep sept oct
  nov dec spring summer autumn fall winter morning afternoon evening night noon midnight am pm
`);

const ROLES = words(`
  ceo cto cfo coo cio vp mom mum mommy mummy mama mamma dad daddy papa grandma grandpa granny nana
  auntie aunt uncle sir madam ma'am user assistant system agent ai bot tool human admin god boss
`);

/** Languages and nationalities are adjectives as often as they are names. */
const DEMONYMS = words(`
  english french german italian spanish portuguese dutch polish russian ukrainian czech slovak
  swedish norwegian danish finnish greek turkish arabic hebrew persian hindi chinese mandarin
  cantonese japanese korean vietnamese thai american british scottish irish welsh european asian
  african australian canadian mexican brazilian indian austrian swiss belgian hungarian romanian
  bulgarian croatian serbian latin tuscan sicilian parisian christian muslim jewish catholic
  buddhist
`);

/** Abbreviations of common nouns, units and habits of writing. */
const ABBREVIATIONS = words(`
  api apis url urls http https html css json yaml xml sql csv pdf gif png jpg svg ui ux db os cpu
  gpu ram tv pc id ids faq pr prs mr mrs ms dr ci cd qa hr pto ooo eta eod eow tbd tba todo fixme
  wip gmt utc cet cest est pst bst usd eur gbp chf sla slo mvp kpi okr roi poc ok kg km cm mm mb gb
  tb kb ms ssh ssl tls dns ip vpn lan wifi usb led lcd dm rsvp diy diys bbq dj cv it q1 q2 q3 q4 p0
  p1 p2 p3 h1 h2 am pm ad bc eg ie etc vs rip lgtm ptal imo iirc nda crud rest orm sdk cli ide tdd
  oop llm llms ml ai io ttl uuid regex get post put patch delete head true false null error warn
  info debug mib gib kib tib mi gi ki ti traceback stderr stdout
`);

/** Whether a capitalised word is never a name by itself. */
export function isNeverName(word: string): boolean {
  const lower = word.toLowerCase().replaceAll('’', "'");
  return (
    INTERJECTIONS.has(lower) ||
    FUNCTION_WORDS.has(lower) ||
    TIMES.has(lower) ||
    ROLES.has(lower) ||
    DEMONYMS.has(lower) ||
    ABBREVIATIONS.has(lower) ||
    // "How've", "What's", "Didn't": a contraction, whatever it contracts.
    /^\p{L}+(?:'(?:ve|re|ll|d|m|s|t)|n't)$/u.test(lower) ||
    // "Sooo", "Yesss", "Hmmm".
    /(\p{L})\1\1/u.test(lower) ||
    /^h+m+$|^(?:ha|he)+h?$|^a+h+$|^o+h+$/.test(lower)
  );
}

/** First words of names of several words that are ordinary words by themselves. */
export const NAME_OPENERS = words(`
  new san santa saint st. los las north south east west northern southern eastern western central
  united royal mount lake port fort cape el la le the dr dr. mr mr. mrs mrs. ms ms. prof prof.
  professor captain upper lower great grand golden red black white blue green silver big old
`);

/** Small words inside names: "Leonardo da Vinci", "Bank of England", "The Lord of the Rings". */
export const CONNECTORS = words('of de da di del della van von der den du des dos & y');
