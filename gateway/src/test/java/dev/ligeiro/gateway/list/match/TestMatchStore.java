package dev.ligeiro.gateway.list.match;

import dev.ligeiro.gateway.mongo.LongReads;

/** The store without a gateway. */
public final class TestMatchStore {

    private TestMatchStore() {}

    public static MatchStore over(LongReads reads) {
        TermStore terms = new TermStore(reads);
        return new MatchStore(terms, new Intersection(terms), new DocumentStore(reads));
    }
}
