package dev.ligeiro.gateway.api.list.match;

import dev.ligeiro.gateway.http.limit.TestBoundedReads;
import dev.ligeiro.gateway.store.LongReads;

/** Counting without a gateway. */
public final class TestCountByKeys {

    private TestCountByKeys() {}

    public static CountByKeys over(LongReads reads) {
        TermStore terms = new TermStore(reads, TestBoundedReads.withoutRests());
        return new CountByKeys(terms, new Intersection(terms));
    }
}
