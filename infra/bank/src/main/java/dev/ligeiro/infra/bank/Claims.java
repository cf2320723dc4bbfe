package dev.ligeiro.infra.bank;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Payers' claims on received Pix, as Efí has them: {@code /v2/gn/infracoes} and {@code …/{id}/defesa}. */
final class Claims {

    private static final Duration DEADLINE = Duration.ofDays(7);
    private static final int DEFENSE_MAX = 1_000;
    private static final BiFunction<String, String, Refusal> BAD_QUERY =
            (field, reason) -> Refusal.violation("InfracoesConsultaInvalida", "infracoes.query." + field, reason);
    private static final BiFunction<String, String, Refusal> BAD_DEFENSE =
            (field, reason) -> Refusal.violation("InfracoesConsultaInvalida", "infracoes.body." + field, reason);

    private final Book book;
    private final ReceivedPix received;
    private final Settlements settlements;

    Claims(Book book, ReceivedPix received, Settlements settlements) {
        this.book = book;
        this.received = received;
        this.settlements = settlements;
    }

    /** {@code GET /v2/gn/infracoes} */
    Reply list(ApiCall call) {
        ApiCall.Span span = call.span(BAD_QUERY);
        return book.read(() -> {
            List<Stored.Claim> found = book.claims.values().stream()
                    .filter(claim -> span.contains(claim.openedAt()))
                    .toList();
            return span.reply("infracoes", found, this::json);
        });
    }

    /** {@code POST /v2/gn/infracoes/{id}/defesa} */
    Reply defend(ApiCall call) {
        BodyFields fields = call.fields(BAD_DEFENSE);
        String analysis = fields.text("analise", 20);
        if (!analysis.equals("aceito") && !analysis.equals("rejeitado")) {
            throw fields.refuse("analise", "expected aceito or rejeitado");
        }
        String text = fields.text("justificativa", DEFENSE_MAX);
        return book.write(change -> {
            Stored.Claim claim = book.claims.get(call.id(0));
            if (claim == null) {
                throw Refusal.problem(404, "InfracaoNaoEncontrada", "Infração não encontrada.");
            }
            if (claim.defense() != null) {
                throw invalid(409, "A defesa para essa infração já foi criada.");
            }
            if (claim.isDecided() || Book.now().isAfter(claim.deadline())) {
                throw invalid(422, "O prazo para defesa foi excedido.");
            }
            change.put(claim.defended(text, Book.now()));
            return Reply.created(Reply.json("mensagem", "Defesa de infração MED criada"));
        });
    }

    private static Refusal invalid(int status, String reason) {
        return Refusal.violation(status, "InfracaoOperacaoInvalida", "body.infractionId", reason);
    }

    /**
     * A payer claims a payment back.
     *
     * @param cents null for all of it
     */
    Stored.Claim open(
            String e2eId, @Nullable Long cents, String reason, String situation, @Nullable Integer deadlineSeconds) {
        return book.write(change -> {
            Stored.Payment payment = book.payments.get(e2eId);
            if (payment == null) {
                throw Refusal.control(404, "payment_unknown");
            }
            Instant now = Book.now();
            Duration within = deadlineSeconds == null ? DEADLINE : Duration.ofSeconds(deadlineSeconds);
            return change.put(new Stored.Claim(
                    UUID.randomUUID().toString(),
                    String.valueOf(1000 + book.claims.size()),
                    e2eId,
                    cents == null ? payment.cents() : cents,
                    Stored.Claim.OPEN,
                    reason,
                    situation,
                    now,
                    now.plus(within),
                    null,
                    null,
                    null));
        });
    }

    /** For the control port. */
    List<ObjectNode> all() {
        return book.read(() -> book.claims.values().stream()
                .map(claim -> Reply.json(
                        "id", claim.id(),
                        "protocol", claim.protocol(),
                        "e2e_id", claim.e2eId(),
                        "amount", BodyFields.amount(claim.cents()),
                        "status", claim.status(),
                        "defended", claim.defense() != null))
                .toList());
    }

    /**
     * The bank decides. An accepted claim's money goes back to the payer.
     *
     * @param returnAfter when it goes back; it does not if the bank ends before
     */
    Stored.Claim decide(String id, String outcome, Duration returnAfter) {
        String status =
                switch (outcome) {
                    case "accepted" -> Stored.Claim.ACCEPTED;
                    case "rejected" -> Stored.Claim.REJECTED;
                    case "canceled" -> Stored.Claim.CANCELED;
                    default -> throw Refusal.control(400, "outcome: expected accepted, rejected or canceled");
                };
        Stored.Claim decided = book.write(change -> {
            Stored.Claim claim = book.claims.get(id);
            if (claim == null) {
                throw Refusal.control(404, "dispute_unknown");
            }
            if (claim.isDecided()) {
                throw Refusal.control(409, "dispute_decided");
            }
            return change.put(claim.decided(status, Book.now()));
        });
        if (status.equals(Stored.Claim.ACCEPTED)) {
            Runnable back = () -> received.refundByBank(decided.e2eId(), decided.cents(), "MED_FRAUDE");
            if (returnAfter.isZero()) {
                back.run();
            } else {
                settlements.after(returnAfter, back);
            }
        }
        return decided;
    }

    private ObjectNode json(Stored.Claim claim) {
        Stored.Payment payment = Objects.requireNonNull(book.payments.get(claim.e2eId()));
        return Reply.json(
                "idInfracao", claim.id(),
                "endToEndId", claim.e2eId(),
                "protocolo", claim.protocol(),
                "dataTransacao", payment.at(),
                "valor", BodyFields.amount(claim.cents()),
                "chave", payment.key(),
                "status", claim.status(),
                "razao", claim.reason(),
                "tipoSituacao", claim.situation(),
                "defesa", claim.defense(),
                "dadosAnalise",
                        Reply.json(
                                "abertura", claim.openedAt(),
                                "prazoFinalizacao", claim.deadline(),
                                "recebimentoDefesa", claim.defendedAt(),
                                "finalizacao", claim.closedAt()),
                "origem", Reply.json("nome", payment.payerName(), "documento", payment.payerDocument()),
                "criadoEm", claim.openedAt());
    }
}
