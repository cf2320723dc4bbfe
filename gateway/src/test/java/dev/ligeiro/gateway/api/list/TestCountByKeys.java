package dev.ligeiro.gateway.api.list;

import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.Archive;
import dev.ligeiro.gateway.store.LongReads;
import java.time.Clock;
import java.util.List;
import reactor.core.publisher.Mono;

/** Counting without a gateway. */
public final class TestCountByKeys {

    private TestCountByKeys() {}

    public static CountByKeys over(LongReads reads, Clock clock, long keysMax) {
        return new CountByKeys(
                new TermStore(reads, TestBoundedReads.withoutRests(), () -> allDays(clock), TestCountByKeys::noArchive),
                keysMax,
                keysMax);
    }

    static Mono<Archive> noArchive() {
        return Mono.just(new Archive(List.of()));
    }

    /** All tokens have their day. */
    static TokenDays allDays(Clock clock) {
        return new TokenDays(0, TokenDays.day(clock.millis()));
    }
}
