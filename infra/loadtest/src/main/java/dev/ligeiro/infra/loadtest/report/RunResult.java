package dev.ligeiro.infra.loadtest.report;

import dev.ligeiro.infra.loadtest.observe.FsyncProbe;
import dev.ligeiro.infra.loadtest.observe.Machine;
import dev.ligeiro.infra.loadtest.observe.Versions;
import java.util.List;

/**
 * All that is told of a run; the JSON file has these names.
 *
 * @param valid whether every audit passed
 * @param startupMillis from the gateway's start to its first 201, each start; empty when it was not measured
 */
public record RunResult(
        String startedAt,
        String command,
        boolean valid,
        Machine machine,
        Versions versions,
        FsyncProbe fsync,
        List<ScenarioResult> scenarios,
        List<Long> startupMillis) {}
