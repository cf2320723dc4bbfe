package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.LongReads;

/** Counting without a gateway. */
public final class TestCountByKeys {

    private TestCountByKeys() {}

    public static CountByKeys over(LongReads reads, long keysMax) {
        return new CountByKeys(new TermStore(reads, TestBoundedReads.withoutRests()), keysMax, keysMax);
    }
}
