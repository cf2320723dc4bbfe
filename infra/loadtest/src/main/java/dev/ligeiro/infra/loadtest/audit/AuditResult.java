package dev.ligeiro.infra.loadtest.audit;

import java.util.List;

/**
 * What an audit has found.
 *
 * @param calls made, of warm-up and drain too
 * @param answered of those, with what they are owed
 * @param created of those, that made a transaction
 * @param stored found in MongoDB
 * @param webhooks that were expected and came, verified, each counted once
 * @param faults a line for each kind of fault; none in a run that counts
 */
public record AuditResult(long calls, long answered, long created, long stored, long webhooks, List<String> faults) {

    public boolean passed() {
        return faults.isEmpty() && answered == calls;
    }
}
