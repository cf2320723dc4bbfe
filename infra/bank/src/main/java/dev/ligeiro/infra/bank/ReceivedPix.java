package dev.ligeiro.infra.bank;

import dev.ligeiro.pix.EndToEndId;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Pix that the customer has received and their refunds: {@code /pix} and {@code /pix/{e2eid}/devolucao/{id}}. */
final class ReceivedPix {

    /** Natures that a customer may ask for, and those of the bank. */
    private static final Set<String> CUSTOMERS_NATURES = Set.of("ORIGINAL", "RETIRADA");

    private static final Set<String> NATURES =
            Set.of("ORIGINAL", "MED_OPERACIONAL", "MED_FRAUDE", "MED_PIX_AUTOMATICO");
    private static final Duration REFUNDABLE = Duration.ofDays(90);
    private static final BiFunction<String, String, Refusal> REFUSAL =
            (field, reason) -> Refusal.violation("PixDevolucaoInvalida", "devolucao." + field, reason);
    private static final BiFunction<String, String, Refusal> BAD_QUERY =
            (field, reason) -> Refusal.violation("PixConsultaInvalida", field, reason);
    /** A refund of 13.13 is accepted and fails later. */
    private static final long REFUND_FAILS = 13_13;

    private static final String PAYERS_BANK = "99999004";
    private static final int CPF_LENGTH = 11;

    private final Book book;
    private final Notices notices;
    private final Settlements settlements;
    private final boolean payersInNotices;
    private final SecureRandom random = new SecureRandom();

    ReceivedPix(Book book, Notices notices, Settlements settlements, boolean payersInNotices) {
        this.book = book;
        this.notices = notices;
        this.settlements = settlements;
        this.payersInNotices = payersInNotices;
    }

    /** Settles the refunds that an earlier run of the bank has left. */
    void resume() {
        List<Stored.Repayment> open = book.read(() -> book.refunds.values().stream()
                .flatMap(refunds -> refunds.values().stream())
                .filter(refund -> refund.status().equals(Stored.Repayment.PROCESSING))
                .toList());
        open.forEach(refund -> settlements.later(() -> settle(refund)));
    }

    /** {@code GET /pix/{e2eid}} */
    Reply read(ApiCall call) {
        return book.read(() -> Reply.ok(json(book, paymentOf(call.id(0)))));
    }

    /** {@code GET /pix} */
    Reply list(ApiCall call) {
        ApiCall.Span span = call.span(BAD_QUERY);
        if (call.has("cpf") && call.has("cnpj")) {
            throw BAD_QUERY.apply("cpf", "expected without cnpj");
        }
        return book.read(() -> {
            String end = Book.timeKey(span.to().plusMillis(1), "");
            List<Stored.Payment> found =
                    book.paymentsByTime.subMap(Book.timeKey(span.from(), ""), end).values().stream()
                            .filter(payment -> fits(call, payment))
                            .toList();
            return span.reply("pix", found, payment -> json(book, payment));
        });
    }

    private boolean fits(ApiCall call, Stored.Payment payment) {
        return call.fits("txid", payment.txid())
                && call.fits("txIdPresente", payment.txid() != null)
                && call.fits(
                        "devolucaoPresente", !book.refundsOf(payment.e2eId()).isEmpty())
                && call.fits("cpf", payment.payerDocument())
                && call.fits("cnpj", payment.payerDocument());
    }

    /** {@code PUT /pix/{e2eid}/devolucao/{id}} */
    Reply refund(ApiCall call) {
        BodyFields fields = call.fields(REFUSAL);
        if (!call.id(1).matches("[a-zA-Z0-9]{1,35}")) {
            throw fields.refuse("id", "expected 1 to 35 letters and digits");
        }
        long cents = fields.amountCents("valor");
        BodyFields.refuseMagic(cents);
        String nature = fields.has("natureza") ? fields.text("natureza", 20) : "ORIGINAL";
        if (!CUSTOMERS_NATURES.contains(nature)) {
            throw fields.refuse("natureza", "expected ORIGINAL or RETIRADA");
        }
        String description = fields.textOrNull("descricao", 140);
        Stored.Repayment refund = book.write(change -> {
            Stored.Payment payment = paymentOf(call.id(0));
            if (book.refunds.getOrDefault(payment.e2eId(), Map.of()).containsKey(call.id(1))) {
                throw fields.refuse("id", "the id is used by another refund of this Pix");
            }
            if (payment.at().plus(REFUNDABLE).isBefore(Book.now())) {
                throw fields.refuse("id", "the Pix is older than 90 days");
            }
            if (refundedCents(payment.e2eId()) + cents > payment.cents()) {
                throw fields.refuse("valor", "all refunds together would exceed the Pix");
            }
            return change.put(newRefund(payment, call.id(1), cents, nature, description));
        });
        settlements.later(() -> settle(refund));
        return Reply.created(json(refund));
    }

    /** {@code GET /pix/{e2eid}/devolucao/{id}} */
    Reply readRefund(ApiCall call) {
        return book.read(() -> {
            Stored.Repayment refund =
                    book.refunds.getOrDefault(call.id(0), Map.of()).get(call.id(1));
            if (refund == null) {
                throw Refusal.problem(
                        404, "PixDevolucaoNaoEncontrada", "Devolução não encontrada para o e2eid e o id informados.");
            }
            return Reply.ok(json(refund));
        });
    }

    /**
     * A payer pays.
     *
     * @param txid null for a payment to the key alone
     * @param cents null for the amount of the charge
     * @param anyway also if the charge is paid, removed, expired or of another amount
     * @throws Refusal when the charge cannot be paid
     */
    Stored.Payment pay(Payer payer, @Nullable String txid, @Nullable Long cents, String key, boolean anyway) {
        Stored.Payment paid = book.write(change -> {
            Stored.Charge charge = txid == null ? null : book.charges.get(txid);
            if (charge != null && !anyway) {
                refuseUsed(charge, cents);
            }
            long amount =
                    cents != null ? cents : charge != null ? charge.terms().cents() : 0;
            if (amount == 0) {
                throw Refusal.control(400, "amount_missing");
            }
            String e2eId = EndToEndId.generate(PAYERS_BANK, payer.at(), random).value();
            Stored.Payment payment = change.put(new Stored.Payment(
                    e2eId, txid, amount, key, payer.at(), payer.name(), payer.document(), payer.message()));
            change.put(new Stored.Moved("in", txid == null ? "" : txid, e2eId, amount, payer.at()));
            if (charge != null && charge.isActive()) {
                change.put(charge.withStatus(Stored.Charge.PAID));
            }
            return payment;
        });
        if (txid != null) {
            announce(paid);
        }
        return paid;
    }

    private static void refuseUsed(Stored.Charge charge, @Nullable Long cents) {
        if (charge.status().equals(Stored.Charge.PAID)) {
            throw Refusal.control(409, "charge_paid");
        }
        if (!charge.isActive()) {
            throw Refusal.control(409, "charge_removed");
        }
        if (charge.isExpired(Book.now())) {
            throw Refusal.control(409, "charge_expired");
        }
        if (cents != null && cents != charge.terms().cents()) {
            throw Refusal.control(409, "other_amount");
        }
    }

    /** The bank refunds without being asked over the API: in its app, or as a return under MED. The id is the bank's. */
    Stored.Repayment refundByBank(String e2eId, long cents, String nature) {
        if (!NATURES.contains(nature)) {
            throw Refusal.control(400, "nature_unknown");
        }
        Stored.Repayment refund = book.write(change -> {
            Stored.Payment payment = book.payments.get(e2eId);
            if (payment == null) {
                throw Refusal.control(404, "payment_unknown");
            }
            if (refundedCents(e2eId) + cents > payment.cents()) {
                throw Refusal.control(409, "amount_exceeded");
            }
            String id = "B" + Long.toHexString(random.nextLong() | Long.MIN_VALUE);
            return change.put(newRefund(payment, id, cents, nature, null));
        });
        settlements.later(() -> settle(refund));
        return refund;
    }

    private Stored.Repayment newRefund(
            Stored.Payment payment, String id, long cents, String nature, @Nullable String description) {
        Instant now = Book.now();
        String rtrId =
                "D" + EndToEndId.generate(PAYERS_BANK, now, random).value().substring(1);
        return new Stored.Repayment(
                payment.e2eId(), id, rtrId, cents, nature, description, now, null, Stored.Repayment.PROCESSING, null);
    }

    private void settle(Stored.Repayment refund) {
        Instant now = Book.now();
        book.write(change -> {
            if (refund.cents() == REFUND_FAILS) {
                return change.put(
                        refund.settled(Stored.Repayment.FAILED, now, "Saldo insuficiente para realizar a devolução."));
            }
            change.put(new Stored.Moved("refund", refund.id(), refund.e2eId(), refund.cents(), now));
            return change.put(refund.settled(Stored.Repayment.REFUNDED, now, null));
        });
        Stored.Payment payment = book.read(() -> book.payments.get(refund.e2eId()));
        if (payment.txid() != null) {
            announce(payment);
        }
    }

    private void announce(Stored.Payment payment) {
        ObjectNode notice = book.read(() -> json(book, payment));
        String document = payment.payerDocument();
        if (payersInNotices && (document != null || payment.payerName() != null)) {
            ObjectNode payer = Reply.json("nome", payment.payerName(), "codigoBanco", PAYERS_BANK);
            if (document != null) {
                payer.put(document.length() == CPF_LENGTH ? "cpf" : "cnpj", document);
            }
            notice.set("gnExtras", Reply.json("pagador", payer));
        }
        notices.announce(payment.key(), notice);
    }

    private long refundedCents(String e2eId) {
        return book.refundsOf(e2eId).stream()
                .filter(refund -> !refund.status().equals(Stored.Repayment.FAILED))
                .mapToLong(Stored.Repayment::cents)
                .sum();
    }

    private Stored.Payment paymentOf(String e2eId) {
        Stored.Payment payment = book.payments.get(e2eId);
        if (payment == null) {
            throw Refusal.problem(404, "PixNaoEncontrado", "Pix não encontrado para o e2eid informado.");
        }
        return payment;
    }

    /** The same in an answer and in a notice. */
    static ObjectNode json(Book book, Stored.Payment payment) {
        List<ObjectNode> refunds =
                book.refundsOf(payment.e2eId()).stream().map(ReceivedPix::json).toList();
        return Reply.json(
                "endToEndId", payment.e2eId(),
                "txid", payment.txid(),
                "valor", BodyFields.amount(payment.cents()),
                "chave", payment.key(),
                "horario", payment.at(),
                "infoPagador", payment.message(),
                "devolucoes", refunds.isEmpty() ? null : refunds);
    }

    private static ObjectNode json(Stored.Repayment refund) {
        return Reply.json(
                "id", refund.id(),
                "rtrId", refund.rtrId(),
                "valor", BodyFields.amount(refund.cents()),
                "natureza", refund.nature(),
                "descricao", refund.description(),
                "horario", Reply.json("solicitacao", refund.requestedAt(), "liquidacao", refund.settledAt()),
                "status", refund.status(),
                "motivo", refund.reason());
    }

    /** @param at when the money arrives */
    record Payer(@Nullable String name, @Nullable String document, @Nullable String message, Instant at) {}
}
