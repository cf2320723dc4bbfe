package dev.ligeiro.infra.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code infra/capacity} computes. */
class CapacityTest {

    /** One merchant, whose transactions are live and paid. */
    private static final String ONE_MERCHANT =
            "--average 100 --peak 1000 --times 1 --paid 1 --live 1 --merchants 1 --largest 1 ";

    @Test
    void thePageHasTheTablesOfTheBaseLoad() throws Exception {
        assertThat(Checkout.read("infra/docs/capacity.md").lines())
                .containsSubsequence(printed(List.of()).lines().toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--cashouts 0 --webhooks 1; cores: gateway, processor, webhook-dispatcher, mongod, kafka; 0.49, 0.21, 0.26, 0.63, 0.17",
                "--cashouts 0 --webhooks 3; pods of the services; 2, 2, 3",
                "--cashouts 0 --webhooks 1 --cores 1; shards of 3 members: for CPU, for a year on 8 TB; 2, 1",
                "--disk-tb 1; the largest merchant fills a shard in; 3.8 months",
                "--cashouts 0.25 --accounts 3; payload locations: live cashins of an account; 250",
                "--cashouts 0.25 --calls-at-once 200; payload locations: live cashins of an account; 1,000–4,000",
                "--cashouts 0.25 --accounts 3; catch-up: live cashins paid; 750",
                "--cashouts 0.05; guard totals: batches with its cashouts; 50",
                "--cashouts 0.25; guard totals: batches with its cashouts; 100",
                "--webhooks 3; lane: its webhooks to one endpoint; 3,000",
                "--paid 0.5; due leader: checks of unpaid transactions; 1,000"
            })
    void eachNeedAndEachUseFollowsFromTheLoad(String load, String row, String expected) throws Exception {
        assertThat(cells(row, printed(List.of((ONE_MERCHANT + load).split(" ")))))
                .contains(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.2, 67×", "0.4, 33×", "0.02, 670×"})
    void aBoundIsReachedEarlierByALargerMerchant(String largest, String expected) throws Exception {
        assertThat(cells("lane: its webhooks to one endpoint", printed(List.of("--largest", largest))))
                .endsWith(expected);
    }

    @ParameterizedTest
    @CsvSource({"--paid 1.1", "--largest 0.001", "--average 100", "--peak 0"})
    void aLoadThatCannotBeIsRefused(String option) throws Exception {
        Process refused = start(List.of(option.split(" ")));

        assertThat(new String(refused.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(option.split(" ")[0] + ": " + option.split(" ")[1]);
        assertThat(refused.waitFor()).isEqualTo(2);
    }

    private static List<String> cells(String row, String tables) {
        return tables.lines()
                .map(line -> line.split(" *\\| *"))
                .filter(cells -> cells.length > 1 && cells[1].equals(row))
                .flatMap(Arrays::stream)
                .toList();
    }

    private static String printed(List<String> options) throws IOException, InterruptedException {
        Process program = start(options);
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).isZero();
        return printed;
    }

    private static Process start(List<String> options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(Checkout.ROOT.resolve("infra/capacity").toString()));
        command.addAll(options);
        return new ProcessBuilder(command).start();
    }
}
