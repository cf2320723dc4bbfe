package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.Rails;
import java.time.Duration;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Sends defences to Efí, one call each. The bank takes one text a claim, and no files. */
@Component
public class SendDefense {

    /** A call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofSeconds(30);

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;

    private final Rails rails;

    SendDefense(Rails rails) {
        this.rails = rails;
    }

    /** What the bank says. */
    public enum Answer {
        TAKEN,
        /** It says that it has one already. */
        EXISTS,
        TOO_LATE,
        /** It does not take this one, or does not know the claim. */
        REJECTED
    }

    /** Fails with a {@link RailFault} if the answer does not tell whether the bank has the defence. */
    public Mono<Answer> send(BankAccount bank, String claim, String text) {
        return rails.make(
                        bank.rail(),
                        bank.post(
                                "defense",
                                BankLists.CLAIMS + "/" + claim + "/defesa",
                                // "rejeitado": the account's holder rejects the claim
                                Map.of("analise", "rejeitado", "justificativa", text)),
                        START_WITHIN)
                .map(SendDefense::answer);
    }

    private static Answer answer(BankAnswer answer) {
        return switch (answer.status()) {
            case CONFLICT -> saysThatItExists(answer) ? Answer.EXISTS : Answer.REJECTED;
            case UNPROCESSABLE -> Answer.TOO_LATE;
            case BAD_REQUEST, NOT_FOUND -> {
                if (answer.body().isMissingNode()) {
                    // a proxy's, or a wrong path
                    throw new RailFault("defense, status: " + answer.status() + " without JSON");
                }
                yield Answer.REJECTED;
            }
            default -> {
                if (!answer.isDone()) {
                    throw new RailFault("defense, status: " + answer.status());
                }
                yield Answer.TAKEN;
            }
        };
    }

    private static boolean saysThatItExists(BankAnswer answer) {
        return answer.body().path("violacoes").valueStream().anyMatch(one -> one.path("razao")
                .asString("")
                .contains("já foi criada"));
    }
}
