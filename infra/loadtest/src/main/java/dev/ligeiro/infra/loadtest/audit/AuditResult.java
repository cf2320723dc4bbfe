package dev.ligeiro.infra.loadtest.audit;

import java.util.List;

/**
 * The result of an audit.
 *
 * @param calls made, those of warm-up and drain included
 * @param answered calls with a correct response
 * @param created answered calls that created a transaction
 * @param stored transactions found in MongoDB
 * @param webhooks expected, received and verified; each counts once
 * @param faults a line for each kind of fault; a run that counts has none
 */
public record AuditResult(long calls, long answered, long created, long stored, long webhooks, List<String> faults) {

    public boolean passed() {
        return faults.isEmpty() && answered == calls;
    }
}
