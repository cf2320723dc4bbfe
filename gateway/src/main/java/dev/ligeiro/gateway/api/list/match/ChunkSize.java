package dev.ligeiro.gateway.api.list.match;

/**
 * How many ids of the rarest term a walk reads next, by how many of the last ones matched.
 *
 * @param read the ids of the last step; 0 before the first one
 * @param matched those of them to which the other terms apply
 */
record ChunkSize(int read, int matched) {

    static final int MIN = 250;
    /** 130 kB as the condition of a query. */
    static final int MAX = 5_000;

    static final ChunkSize FIRST = new ChunkSize(0, 0);

    /**
     * As many ids as the missing matches take at the rate of the last step, and a quarter more; after a step without a match, twice as many
     * as before.
     *
     * @param missing matches to find, those to skip included
     */
    int next(long missing) {
        long expected = matched == 0 ? 2L * read : missing * read / matched * 5 / 4;
        return (int) Math.min(MAX, Math.max(MIN, Math.max(expected, missing)));
    }
}
