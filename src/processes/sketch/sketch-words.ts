// Words of English, German and Spanish that a sketch understands: lower case, without diacritics.

/** Words for what a step does, by the English word that the names of Tools have. */
const ACTIONS: Readonly<Record<string, string>> = {
  fetch:
    'fetch fetches fetched collect sammle fetching get gets getting load loads download ' +
    'downloads read reads retrieve pull grab hole holt holen abrufen geholt geladen ' +
    'gelesen lade ladt laden lies liest lesen herunterladen obten obtener obtiene trae ' +
    'traer descarga descargar lee leer',
  summarise:
    'summarise summarises summarised summarising summarize summarizes summarizing ' +
    'condense zusammenfassen zusammenfasst zusammen zusammengefasst fasse fass fasst ' +
    'resume resumir resumela resumelo resuma',
  send:
    'send sends sent sending mail mails email emails notify notifies schicke schick ' +
    'schickt schicken geschickt gesendet gemailt mailen sende sendet senden maile mailt ' +
    'benachrichtige benachrichtigt benachrichtigen alert alerts alarmiere avise envia ' +
    'enviar envialo manda mandar avisa avisar notifica',
  post:
    'post posts posted posting publish publishes publishing poste gepostet ' +
    'veroffentliche veroffentlicht veroffentlichen postet posten postest publica ' +
    'publicar publique',
  search:
    'search searches find finds finding look suche such sucht suchen gesucht finde find ' +
    'findet finden busca buscar encuentra',
  extract: 'extract extracts extracting extrahiere extrahiert extrahieren extrae extraer',
  list: 'list lists liste auflisten lista listar enumera',
  translate: 'translate translates translating ubersetze ubersetzt ubersetzen traduce traducir',
  answer:
    'answer answers answering beantworte beantwortet beantworten antworte responde ' +
    'responder contesta',
  write:
    'write writes writing compose schreibe schreib schreibt schreiben verfasse escribe ' +
    'escribir redacta',
  remember:
    'remember save saves saving store stores merke merk merken speichere speichert ' +
    'speichern guarda guardar recuerda anota',
  check:
    'check checks compare compares verify prufe pruft prufen vergleiche vergleicht ' +
    'vergleichen comprueba compara revisa verifica',
  create:
    'create creates creating make makes open opens add adds erstelle erstellt erstellen ' +
    'offne lege anlegen crea crear abre anade agrega',
  delete:
    'delete deletes remove removes losche loscht loschen entferne elimina eliminar borra ' +
    'borrar',
  classify:
    'classify sort label klassifiziere klassifizieren sortiere clasifica clasificar ' + 'ordena',
  count: 'count counts zahle zahlt zahlen cuenta contar',
  calculate: 'calculate compute berechne berechnen calcula calcular',
  run:
    'run runs call calls start starts execute starte startet starten rufe ruft ejecuta ' +
    'ejecutar llama inicia',
  tell:
    'tell tells show shows give gives sag sage sagt zeig zeige gib muestra muestrame ' +
    'dime dame',
};

/** The English word of each word for an action. */
export const ACTION_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(ACTIONS).flatMap(([action, words]) =>
    words.split(' ').map((word) => [word, action] as const),
  ),
);

/** Patterns over plain text (`plainOf`). */
const anyOf = (...sources: readonly string[]) => new RegExp(`\\b(?:${sources.join('|')})\\b`);

/** A wish to be asked before a step. */
export const APPROVAL = anyOf(
  '(?:always )?(?:ask|consult|check with|confirm with) (?:me|us)(?: first|' +
    ' for (?:my )?(?:approval|permission|confirmation|consent|ok))?',
  '(?:only )?(?:after|with|once|when|if|until|wait for|waits for|needs?|requires?) (?:i|' +
    'we|my|our) (?:have )?(?:approvals?|approved?|confirm(?:ed|ation)?|consent|permission|' +
    'agreed?|ok(?:ay)?)(?: it| that| this)?',
  'let me (?:approve|confirm|check|review)(?: it| that| this)?(?: first)?',
  'frage? mich(?: aber| doch| bitte)?(?: vorher| zuerst| erst)?',
  '(?:erst |nur )?(?:nach|mit|warte auf) meiner? (?:freigabe|zustimmung|genehmigung|' +
    'bestatigung|erlaubnis|ok)',
  '(?:wenn|sobald) ich (?:es |das )?(?:zustimme|freigebe|genehmige|bestatige)',
  'pregunta(?:me|rme)(?: primero| antes(?! de))?',
  'pideme (?:permiso|confirmacion|aprobacion)',
  '(?:solo )?(?:con|tras|despues de|espera) mi (?:aprobacion|permiso|confirmacion|visto bueno)',
);

/** Words that only tie a wish to the step that it is about. */
export const BEFORE = new RegExp(
  '^(?:,|but|before|first|to|and|you|aber|vorher|zuerst|bevor|vor dem|ehe|und|du|' +
    'pero|primero|antes de(?: que)?|antes|y)\\s+',
);

/** The beginning of a condition. */
export const CONDITION = anyOf(
  '(?:but )?only (?:if|when)|if|unless|when(?:ever)?',
  '(?:aber )?nur wenn|falls|wenn|sofern|sobald',
  '(?:pero )?solo (?:si|cuando)|si|cuando',
);

/** A step for each of several things. */
export const FOR_EACH = anyOf(
  'for (?:each|every)(?: one)?(?: of(?: the| them)?)?',
  'fur jede[nrs]?(?: einzelne[nrs]?)?',
  'para cada(?: un[oa](?: de (?:los|las|ellos|ellas)?)?)?|por cada',
);

/** Words that join one step to the next, in any place. */
export const THEN = anyOf(
  'and then|then|after that|afterwards|finally',
  'und dann|dann|danach|anschliessend|schliesslich',
  'y luego|luego|y despues|despues|entonces|finalmente',
);

/** Words that join two steps where an action follows. */
export const AND = /^(?:and|und|sowie|y|e)$/;

/** How often an attempt is made: the number is the first group that matched. */
export const RETRY = anyOf(
  '(?:re)?try (?:it |again )?(?:up to |at most )?(\\d{1,2}) times',
  '(?:up to|at most) (\\d{1,2}) (?:attempts|tries)',
  '(?:bis zu|hochstens) (\\d{1,2}) (?:mal|versuche[n]?)',
  '(?:hasta|reintenta) (\\d{1,2}) (?:veces|intentos)',
);
