package dev.ligeiro.infra.loadtest.ledger;

/** A run of calls. What crosses threads is published by {@link Ledger}'s size, and by the sockets between sender and receiver. */
final class LedgerPage {

    static final int CALLS = 1 << 16;

    private final byte[] calls = new byte[CALLS];
    private final long[] dueAt = new long[CALLS];
    private final long[] high = new long[CALLS];
    private final long[] low = new long[CALLS];
    private final byte[] webhookBits = new byte[CALLS];
    private final long[] webhookHigh = new long[CALLS];
    private final long[] webhookLow = new long[CALLS];
    private final boolean[] webhookDiffers = new boolean[CALLS];

    void open(int index, Call call, long due) {
        calls[index] = (byte) call.ordinal();
        dueAt[index] = due;
    }

    void answered(int index, long idHigh, long idLow) {
        high[index] = idHigh;
        low[index] = idLow;
    }

    boolean announced(int index, int sequence, long idHigh, long idLow) {
        if (webhookBits[index] == 0) {
            webhookHigh[index] = idHigh;
            webhookLow[index] = idLow;
        } else if (webhookHigh[index] != idHigh || webhookLow[index] != idLow) {
            webhookDiffers[index] = true;
        }
        int bit = 1 << sequence;
        boolean first = (webhookBits[index] & bit) == 0;
        webhookBits[index] |= (byte) bit;
        return first;
    }

    Call call(int index) {
        return Call.of(calls[index]);
    }

    long dueAt(int index) {
        return dueAt[index];
    }

    long high(int index) {
        return high[index];
    }

    long low(int index) {
        return low[index];
    }

    int webhookBits(int index) {
        return webhookBits[index];
    }

    boolean webhooksAgree(int index) {
        return !webhookDiffers[index] && webhookHigh[index] == high[index] && webhookLow[index] == low[index];
    }
}
