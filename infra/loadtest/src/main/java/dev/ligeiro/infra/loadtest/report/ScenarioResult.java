package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.audit.AuditResult;
import java.util.List;

/**
 * What a scenario gave.
 *
 * @param warmSeconds of full load before the first window
 * @param cold whether that was too short for figures that count
 * @param stored transactions that were there before
 */
public record ScenarioResult(
        String scenario,
        int warmSeconds,
        boolean cold,
        long stored,
        int connections,
        List<StepResult> steps,
        AuditResult audit) {}
