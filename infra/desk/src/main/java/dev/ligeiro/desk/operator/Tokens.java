package dev.ligeiro.desk.operator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Admits operators by their tokens, to the API and to the console, and slows down who guesses tokens. After ten wrong tokens of an address
 * within a minute that have the same first half, no token of it with this half is looked at until the minute is over. Others at the same
 * address, such as a proxy's, are let in.
 */
@Component
class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final int WRONG_MAX = 10;
    private static final int COUNTED_MAX = 20_000;
    private static final Duration COUNTED_FOR = Duration.ofMinutes(1);

    private final Operators operators;
    private final ApplicationEventPublisher events;
    private final Cache<Sent, AtomicInteger> wrong;

    /** @param half the first half of the tokens; {@code ""} for all of the address */
    private record Sent(String address, String half) {}

    Tokens(Operators operators, ApplicationEventPublisher events, Clock clock) {
        this.operators = operators;
        this.events = events;
        this.wrong = Caffeine.newBuilder()
                .maximumSize(COUNTED_MAX)
                .expireAfterWrite(COUNTED_FOR)
                .ticker(() -> clock.millis() * 1_000_000)
                .executor(Runnable::run)
                .build();
    }

    /**
     * The operator with the token.
     *
     * @throws Problem 401 for a wrong token, 429 after too many of them
     */
    Operator admit(String token, HttpServletRequest request) {
        Sent alike = new Sent(request.getRemoteAddr(), token.substring(0, (token.length() + 1) / 2));
        if (count(alike).get() >= WRONG_MAX) {
            throw Problems.tooManyTokens();
        }
        return operators.withToken(token).orElseThrow(() -> refusal(alike, request));
    }

    private Problem refusal(Sent alike, HttpServletRequest request) {
        count(alike).incrementAndGet();
        int ofAddress = count(new Sent(alike.address(), "")).incrementAndGet();
        events.publishEvent(new SignInAttempt(null, request));
        if (ofAddress == WRONG_MAX) {
            LOG.atWarn()
                    .addKeyValue("event.action", "sign_ins_refused")
                    .addKeyValue("address", alike.address())
                    .log("An address has sent ten wrong tokens of operators within a minute; further ones are refused");
        }
        return ofAddress > WRONG_MAX ? Problems.tooManyTokens() : Problems.unauthorized("Nobody has this token");
    }

    private AtomicInteger count(Sent sent) {
        return wrong.get(sent, first -> new AtomicInteger());
    }
}
