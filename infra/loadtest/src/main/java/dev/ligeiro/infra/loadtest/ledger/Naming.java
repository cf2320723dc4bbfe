package dev.ligeiro.infra.loadtest.ledger;

import dev.ligeiro.infra.loadtest.http.Bytes;
import dev.ligeiro.infra.loadtest.http.MalformedMessageException;
import java.nio.charset.StandardCharsets;

/**
 * How a call's number becomes the {@code reference} and the {@code extra} of its transaction, so that each can be recognised wherever
 * it turns up. The extra does not follow from the reference by copying: one that went to the wrong transaction shows.
 */
public final class Naming {

    public static final int DIGITS = 10;

    private static final String EXTRA_START = "Observação do lojista: ";

    private final String runId;
    private final byte[] referenceStart;
    private final byte[] extraStart;
    private final long salt;

    /** @param runId 8 hex digits, another one for each scenario of each run */
    public Naming(String runId) {
        this.runId = runId;
        this.referenceStart = Bytes.ascii("lt" + runId + "-");
        this.extraStart = EXTRA_START.getBytes(StandardCharsets.UTF_8);
        this.salt = Long.parseLong(runId, 16) << 32;
    }

    /** Before its number of {@link #DIGITS} digits. */
    public String referenceStart() {
        return "lt" + runId + "-";
    }

    /** Before the 16 hex digits of {@link #extraCode}. */
    public static String extraStart() {
        return EXTRA_START;
    }

    public long extraCode(long number) {
        return mix(number ^ salt);
    }

    /** The number of the call whose reference stands at {@code at}, with {@code end} right after it; -1 when it is none of ours. */
    public int number(byte[] bytes, int at, int end) {
        if (end - at != referenceStart.length + DIGITS || !Bytes.startsWith(bytes, at, end, referenceStart)) {
            return -1;
        }
        return (int) Bytes.parseDigits(bytes, at + referenceStart.length, end);
    }

    /** Whether the extra of call {@code number} stands at {@code at}, followed by a quote. */
    public boolean isExtra(long number, byte[] bytes, int at, int end) {
        int codeAt = at + extraStart.length;
        int quoteAt = codeAt + Long.BYTES * 2;
        try {
            return quoteAt < end
                    && Bytes.startsWith(bytes, at, end, extraStart)
                    && bytes[quoteAt] == '"'
                    && Bytes.parseHex(bytes, codeAt) == extraCode(number);
        } catch (MalformedMessageException notHex) {
            return false;
        }
    }

    public String reference(long number) {
        return referenceStart() + String.format("%0" + DIGITS + "d", number);
    }

    public String extra(long number) {
        return EXTRA_START + String.format("%016x", extraCode(number));
    }

    /** SplitMix64's finishing steps: neighbours become strangers. */
    public static long mix(long number) {
        long mixed = number + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
