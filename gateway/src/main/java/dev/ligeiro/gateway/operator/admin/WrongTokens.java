package dev.ligeiro.gateway.operator.admin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ligeiro.gateway.http.auth.ClientAddress;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Slows down who guesses operators' tokens. After ten wrong tokens of an address within a minute that have the same first half, no
 * token of it with this half is looked at until the minute is over. Others at the same address, such as a proxy's, are let in.
 */
@Component
final class WrongTokens {

    private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);
    private static final int WRONG_MAX = 10;
    private static final int COUNTED_MAX = 20_000;
    private static final Duration COUNTED_FOR = Duration.ofMinutes(1);

    private final ClientAddress addresses;
    private final Cache<Sent, AtomicInteger> wrong;

    /** @param half the first half of the tokens; {@code ""} for all of the address */
    private record Sent(String address, String half) {}

    WrongTokens(ClientAddress addresses, Clock clock) {
        this.addresses = addresses;
        this.wrong = Caffeine.newBuilder()
                .maximumSize(COUNTED_MAX)
                .expireAfterWrite(COUNTED_FOR)
                .ticker(() -> clock.millis() * 1_000_000)
                .executor(Runnable::run)
                .build();
    }

    /** @throws Problem 429 if the token is not looked at */
    void requireFew(ServerRequest request, String token) {
        if (count(alike(request, token)).get() >= WRONG_MAX) {
            throw tooMany();
        }
    }

    /** Counts a wrong token. 401, or 429 for an address that sends many, whatever they are. */
    Problem refusal(ServerRequest request, String token) {
        count(alike(request, token)).incrementAndGet();
        int ofAddress = count(new Sent(address(request), "")).incrementAndGet();
        if (ofAddress == WRONG_MAX) {
            LOG.atWarn()
                    .addKeyValue("event.action", "sign_ins_refused")
                    .addKeyValue("address", address(request))
                    .log("An address has sent ten wrong tokens of operators within a minute; further ones are refused");
        }
        return ofAddress > WRONG_MAX ? tooMany() : AdminToken.unauthorized();
    }

    private AtomicInteger count(Sent sent) {
        return wrong.get(sent, first -> new AtomicInteger());
    }

    private Sent alike(ServerRequest request, String token) {
        return new Sent(address(request), token.substring(0, (token.length() + 1) / 2));
    }

    private String address(ServerRequest request) {
        return addresses.of(request).map(InetAddress::getHostAddress).orElse("unknown");
    }

    private static Problem tooMany() {
        return Problem.of(ProblemCode.RATE_LIMITED, "Too many wrong tokens from this address")
                .retryAfter(COUNTED_FOR);
    }
}
