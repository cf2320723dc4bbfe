package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.processor.rail.live.LiveRails;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Asks a rail whether an unmatched payment is still there, with its amount and with nothing moved back. Not asked are the simulator about
 * cashins, whose payments it does not keep, a rail that is asked by resubmission about cashouts, and any about what has moved back.
 */
@Component
class AskAboutPayment {

    /** The call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    /** What is reported from outside may have any text, which must not become another path. */
    private static final Pattern END_TO_END_ID = Pattern.compile("[a-zA-Z0-9]{1,64}");

    private final Rails rails;
    private final LiveRails live;

    AskAboutPayment(Rails rails, LiveRails live) {
        this.rails = rails;
        this.live = live;
    }

    /**
     * Fails with a {@link RailFault} if the rail cannot be asked.
     *
     * @param own the transaction that the rail has named; null if it is not stored
     */
    Mono<Boolean> isThere(RecordedPayment recorded, @Nullable Transaction own) {
        UnmatchedPayment payment = recorded.payment();
        if (own != null && own.operation() == Operation.CASHOUT) {
            return recorded.isOutgoing(own) ? cashout(own) : Mono.just(true);
        }
        return recorded.isOutgoing(own) || payment.rail().equals(RailProperties.SIMULATOR)
                ? Mono.just(true)
                : received(payment);
    }

    private Mono<Boolean> cashout(Transaction own) {
        RailFacts facts = rails.facts(own)
                .orElseThrow(() -> new RailFault("rail: " + own.terms().rail() + " (expected: one of this processor)"));
        if (facts.inquiry() != RailFacts.Inquiry.BY_ID) {
            return Mono.just(true);
        }
        RailRequest request =
                new RailRequest(RailCallKind.INQUIRE, null, 1, own.history().sequence());
        return Mono.fromFuture(() -> rails.ask(request, own)).map(outcome -> {
            if (outcome instanceof RailOutcome.Unknown
                    || outcome instanceof RailOutcome.Pending
                    || outcome instanceof RailOutcome.InReview) {
                throw new RailFault("outcome: " + outcome.code() + " (expected: a final one)");
            }
            return outcome instanceof RailOutcome.Settled settled
                    && settled.returned().isEmpty();
        });
    }

    private Mono<Boolean> received(UnmatchedPayment payment) {
        BankAccount bank = live.accounts().get(payment.rail());
        if (bank == null) {
            return Mono.error(new RailFault("rail: " + payment.rail() + " (expected: one of this processor)"));
        }
        if (!END_TO_END_ID.matcher(payment.endToEndId()).matches()) {
            return Mono.just(false);
        }
        String path = bank.properties().kind().pixPath() + "/pix/" + payment.endToEndId();
        return call(payment, bank.get("payment_inquiry", path)).map(answer -> isThere(answer, payment));
    }

    /**
     * Sends the payment back. The bank is asked by the id first, which is fixed by the decision, so the money moves at most once.
     *
     * @return settled, pending, or rejected. It fails with a {@link RailFault} if nothing is known
     */
    Mono<RailOutcome> sendBack(UnmatchedPayment payment, UUID resolution) {
        BankAccount bank = live.accounts().get(payment.rail());
        Amount amount = payment.amount();
        if (bank == null || amount == null) {
            return Mono.error(new RailFault("rail: " + payment.rail() + " (expected: one of this processor)"));
        }
        if (!END_TO_END_ID.matcher(payment.endToEndId()).matches()) {
            return Mono.just(new RailOutcome.Rejected("no_payment"));
        }
        String path = bank.properties().kind().pixPath() + "/pix/" + payment.endToEndId() + "/devolucao/"
                + RecordedPayment.returnId(resolution);
        Mono<RailOutcome> read = bank.get("refund_inquiry", path)
                .map(answer -> answer.isDone() ? returned(answer, amount) : answer.ofRead());
        Mono<RailOutcome> written = bank.put("refund", path, Map.of("valor", amount.toString()))
                .flatMap(answer -> answer.isDone()
                        ? Mono.just(returned(answer, amount))
                        : answer.ofWrite(read, bank.properties().rejections()));
        return call(payment, read)
                .flatMap(found -> found instanceof RailOutcome.NotFound ? call(payment, written) : Mono.just(found));
    }

    private <A> Mono<A> call(UnmatchedPayment payment, Mono<A> call) {
        return rails.make(payment.rail(), call, START_WITHIN);
    }

    private static RailOutcome returned(BankAnswer answer, Amount amount) {
        JsonNode back = answer.json();
        if (!BankFields.amount(back, "valor").equals(amount)) {
            throw new RailFault("valor: another one (expected: that of the payment)");
        }
        return switch (BankFields.text(back, "status")) {
            case "EM_PROCESSAMENTO" -> new RailOutcome.Pending();
            case "DEVOLVIDO" -> RailOutcome.Settled.asAgreed();
            case "NAO_REALIZADO" -> new RailOutcome.Rejected(BankFields.reason(back));
            default -> throw BankFields.unknown(back, "status", "EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO");
        };
    }

    private static boolean isThere(BankAnswer answer, UnmatchedPayment payment) {
        if (!answer.isDone()) {
            if (answer.ofRead() instanceof RailOutcome.NotFound) {
                return false;
            }
            throw new RailFault("status: " + answer.status() + " (expected: the payment)");
        }
        JsonNode pix = answer.json();
        boolean isItsAmount =
                payment.amount() == null || BankFields.amount(pix, "valor").equals(payment.amount());
        boolean isMovedBack = BankFields.list(pix, "devolucoes").stream()
                .anyMatch(back -> !BankFields.text(back, "status").equals("NAO_REALIZADO"));
        return BankFields.id(pix, "endToEndId").equals(payment.endToEndId()) && isItsAmount && !isMovedBack;
    }
}
