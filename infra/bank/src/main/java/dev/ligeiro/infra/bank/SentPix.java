package dev.ligeiro.infra.bank;

import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.PixKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pix that the customer sends, the way Efí does it. Every well-formed key exists, and its owner has the document that the caller
 * names, except the keys below.
 */
final class SentPix {

    private static final BiFunction<String, String, Refusal> REFUSAL =
            (field, reason) -> Refusal.efi(400, "valor_invalido", "Campo " + field + " inválido: " + reason);
    private static final BiFunction<String, String, Refusal> BAD_QUERY =
            (field, reason) -> Refusal.violation("PixEnviadoConsultaInvalida", field, reason);
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9]{1,35}");
    private static final String OURS = "99999008";
    private static final int UNKNOWN_KEY_COST = 20;

    /** Does not exist. */
    static final String UNKNOWN = "unknown@bank.example";
    /** Belongs to CPF 111.444.777-35. */
    static final String OTHER_OWNER = "other-owner@bank.example";
    /** Refused at once: 422 {@code pagamento_negado}. */
    static final String DENIED = "denied@bank.example";
    /** Refused at once: 422 {@code saldo_insuficiente}. */
    static final String NO_BALANCE = "no-balance@bank.example";
    /** Accepted, then {@code NAO_REALIZADO}. */
    static final String FAILS = "fails@bank.example";
    /** Accepted, then in process until a person at the bank decides. */
    static final String RELEASE = "release@bank.example";

    private static final String OTHER_OWNERS_DOCUMENT = "11144477735";
    private static final String REASON_FAILED =
            "Número da agência e/ou conta transacional do usuário recebedor inexistente ou inválido";
    private static final String REASON_NOT_RELEASED = "Pagamento não autorizado pelo titular da conta";

    private final Book book;
    private final BankSettings settings;
    private final Notices notices;
    private final Settlements settlements;
    private final SecureRandom random = new SecureRandom();
    private final KeyBucket documentsAndRandomKeys;
    private final KeyBucket phonesAndEmails;

    SentPix(Book book, BankSettings settings, Notices notices, Settlements settlements) {
        this.book = book;
        this.settings = settings;
        this.notices = notices;
        this.settlements = settlements;
        documentsAndRandomKeys = new KeyBucket(settings.keyLookupsPerMinute);
        phonesAndEmails = new KeyBucket(settings.keyLookupsPerMinute);
    }

    /** Settles the sends that an earlier run of the bank has left. */
    void resume() {
        List<Stored.Send> open = book.read(() -> book.sends.values().stream()
                .filter(send -> send.status().equals(Stored.Send.PROCESSING) && !send.waits())
                .toList());
        open.forEach(send -> settlements.later(() -> settle(send, null)));
    }

    /** {@code PUT /v3/gn/pix/{idEnvio}} */
    Reply send(ApiCall call) {
        String id = call.id(0);
        BodyFields fields = call.fields(REFUSAL);
        if (!ID.matcher(id).matches()) {
            throw fields.refuse("idEnvio", "expected 1 to 35 letters and digits");
        }
        long cents = fields.amountCents("valor");
        BodyFields payer = fields.object("pagador");
        String message = payer.textOrNull("infoPagador", 140);
        if (!payer.text("chave", 77).equals(settings.pixKey)) {
            throw Refusal.efi(400, "chave_invalida", "A chave informada não faz referência à conta Efí autenticada");
        }
        Stored.Send send = book.write(change -> {
            if (book.sends.containsKey(id)) {
                throw Refusal.efi(
                        409, "id_envio_duplicado", "O id de envio informado já foi utilizado em outro pagamento");
            }
            Stored.Webhook webhook = book.webhooks.get(settings.pixKey);
            if (webhook == null || webhook.url() == null) {
                throw Refusal.efi(400, "webhook_nao_cadastrado", "A chave do pagador não tem um webhook");
            }
            BodyFields.refuseMagic(cents);
            String key = checkedKey(fields.object("favorecido"));
            String e2eId = EndToEndId.generate(OURS, Book.now(), random).value();
            return change.put(new Stored.Send(
                    id,
                    e2eId,
                    cents,
                    settings.pixKey,
                    message,
                    key,
                    Book.now(),
                    null,
                    Stored.Send.PROCESSING,
                    key.equals(RELEASE),
                    key.equals(FAILS) ? REASON_FAILED : null));
        });
        if (!send.waits()) {
            settlements.later(() -> settle(send, null));
        }
        return Reply.created(Reply.json(
                "idEnvio", id,
                "e2eId", send.e2eId(),
                "endToEndId", send.e2eId(),
                "valor", BodyFields.amount(cents),
                "horario", Reply.json("solicitacao", send.requestedAt()),
                "status", send.status()));
    }

    private String checkedKey(BodyFields receiver) {
        PixKey key = key(receiver);
        boolean address = key.type() == PixKey.Type.PHONE || key.type() == PixKey.Type.EMAIL;
        KeyBucket bucket = address ? phonesAndEmails : documentsAndRandomKeys;
        bucket.take(key.value().equals(UNKNOWN) ? UNKNOWN_KEY_COST : 1);
        switch (key.value()) {
            case UNKNOWN ->
                throw Refusal.efi(404, "chave_favorecido_nao_encontrada", "A chave do favorecido não foi encontrada");
            case DENIED -> throw Refusal.efi(422, "pagamento_negado", "Pagamento negado por análises");
            case NO_BALANCE -> throw Refusal.efi(422, "saldo_insuficiente", "A conta não tem saldo suficiente");
            default -> {
                String document = receiver.has("cpf") ? receiver.text("cpf", 11) : receiver.textOrNull("cnpj", 14);
                if (document != null && !document.equals(owner(key, document))) {
                    throw Refusal.efi(
                            400,
                            "chave_nao_pertence_ao_documento",
                            "O documento do favorecido é diferente do documento em posse da chave");
                }
                return key.value();
            }
        }
    }

    private static PixKey key(BodyFields receiver) {
        String text = receiver.text("chave", 77);
        for (PixKey.Type type : PixKey.Type.values()) {
            try {
                PixKey key = PixKey.parse(type, text);
                if (key.value().equals(text)) {
                    return key;
                }
            } catch (IllegalArgumentException e) {
                // perhaps one of the next types
            }
        }
        throw receiver.refuse("chave", "not a Pix key as the directory writes it");
    }

    private static String owner(PixKey key, String document) {
        return switch (key.type()) {
            case CPF, CNPJ -> key.value();
            default -> key.value().equals(OTHER_OWNER) ? OTHER_OWNERS_DOCUMENT : document;
        };
    }

    /** A person at the bank decides on a send to {@link #RELEASE}; false if there is no such send or it was decided before. */
    boolean release(String id, boolean approved) {
        Stored.Send send = book.read(() -> book.sends.get(id));
        if (send == null || !send.waits()) {
            return false;
        }
        settle(send, approved ? null : REASON_NOT_RELEASED);
        return true;
    }

    private void settle(Stored.Send send, @Nullable String refused) {
        Instant now = Book.now();
        String failure = refused != null ? refused : send.failure();
        Stored.Send settled = book.write(change -> {
            if (!send.equals(book.sends.get(send.id()))) {
                throw new IllegalStateException(send.id() + " is settled already");
            }
            if (failure != null) {
                return change.put(send.settled(Stored.Send.FAILED, now, failure));
            }
            change.put(new Stored.Moved("out", send.id(), send.e2eId(), send.cents(), now));
            return change.put(send.settled(Stored.Send.SENT, now, null));
        });
        notices.announce(settled.payerKey(), notice(settled));
    }

    /** Efí's form: among received Pix, without a txid. */
    private static ObjectNode notice(Stored.Send send) {
        boolean sent = send.status().equals(Stored.Send.SENT);
        ObjectNode failure =
                Reply.json("codigo", "AC03", "origem", "PSP do usuário recebedor", "motivo", send.failure());
        return Reply.json(
                        "endToEndId", send.e2eId(),
                        "chave", send.payerKey(),
                        "tipo", "SOLICITACAO",
                        "status", send.status(),
                        "valor", BodyFields.amount(send.cents()),
                        "gnExtras", Reply.json("idEnvio", send.id(), "erro", sent ? null : failure))
                .put("horario", sent ? String.valueOf(send.settledAt()) : null);
    }

    /** {@code GET /v2/gn/pix/enviados/id-envio/{idEnvio}} */
    Reply readById(ApiCall call) {
        Stored.Send send = book.read(() -> book.sends.get(call.id(0)));
        if (send == null) {
            throw Refusal.problem(
                    404, "PixEnviadoNaoEncontrado", "Pix enviado não encontrado para o idEnvio informado.");
        }
        return Reply.ok(json(send));
    }

    /** {@code GET /v2/gn/pix/enviados} */
    Reply list(ApiCall call) {
        ApiCall.Span span = call.span(BAD_QUERY);
        return book.read(() -> {
            List<Stored.Send> found = book.sends.values().stream()
                    .filter(send -> span.contains(send.requestedAt())
                            && call.fits("status", send.status())
                            // no send comes back here
                            && call.fits("devolucaoPresente", false))
                    .toList();
            return span.reply("pix", found, SentPix::json);
        });
    }

    private static ObjectNode json(Stored.Send send) {
        boolean sent = send.status().equals(Stored.Send.SENT);
        return Reply.json(
                "endToEndId", send.e2eId(),
                "idEnvio", send.id(),
                "valor", BodyFields.amount(send.cents()),
                "chave", send.payerKey(),
                "status", send.status(),
                "infoPagador", send.message(),
                "horario", Reply.json("solicitacao", send.requestedAt(), "liquidacao", sent ? send.settledAt() : null),
                "favorecido", Reply.json("chave", send.receiverKey()));
    }

    /** How many keys may be looked up in the directory: each look-up takes tokens, which come back with time. */
    private static final class KeyBucket {

        private static final int PERIOD_SECONDS = 60;

        private final int size;
        private double tokens;
        private long filledNanos = System.nanoTime();

        KeyBucket(int size) {
            this.size = size;
            this.tokens = size;
        }

        synchronized void take(int cost) {
            long now = System.nanoTime();
            tokens = Math.min(size, tokens + (now - filledNanos) / 1e9 * size / PERIOD_SECONDS);
            filledNanos = now;
            if (tokens < 1) {
                throw Refusal.efi(429, "balde_fichas_vazio", "Não há fichas disponíveis no balde")
                        .withHeader(
                                "Retry-After", String.format(Locale.ROOT, "%d", PERIOD_SECONDS / Math.max(1, size) + 1))
                        .withHeader("Bucket-Size", "0");
            }
            tokens -= cost;
        }
    }
}
