package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.brokers.ChildProcess;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.launcher.endtoend.ReadmeBlock.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README and compares their output with the page's. They run unchanged, except for the ports, in a folder with
 * {@code infra} and {@code .ligeiro}, the home of the shared system. {@code infra/run} is not run again: it has started that system.
 */
@Order(1)
@Timeout(600)
class ReadmeIT {

    private static final Path ROOT = ProjectRoot.find();
    private static final Duration SOON = Duration.ofSeconds(120);
    private static final String START = "infra/run";
    private static final String RECEIVER = "python3 infra/receiver 9000";
    private static final String END_OF_STEP = "=== end of step %d: exit code ";

    /** The commands that this test does not run, with the reason. */
    private static final Map<String, String> NOT_RUN = Map.of("mvn verify", "this test is a part of it");

    private final SharedSystem ligeiro = SharedSystem.running();
    private final int receiverPort = Ports.free();
    private final Path folder;

    ReadmeIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void everyCommandPrintsTheOutputInThePage() throws IOException {
        Files.createSymbolicLink(folder.resolve(".ligeiro"), ligeiro.home());
        Files.createSymbolicLink(folder.resolve("infra"), ROOT.resolve("infra"));
        List<ReadmeBlock> blocks = ReadmeBlock.read(ROOT.resolve("README.md"));
        List<Step> firstTry = stepsToRun(blocks);
        assertThat(firstTry).hasSizeGreaterThanOrEqualTo(5);
        awaitFirstPayment();

        checkStart(stepOf(blocks, START));
        firstTry.forEach(this::requireThatInfraRunPrints);
        Path received = folder.resolve("received");
        ChildProcess receiver = ChildProcess.spawn(
                "receiver",
                List.of("bash", "-c", "cd \"$0\" && exec " + here(RECEIVER), folder.toString()),
                Map.of(),
                received);
        try {
            await().atMost(SOON).until(() -> Files.readString(received).contains("receiving on"));
            List<String> outputs = run(firstTry);
            for (int i = 0; i < firstTry.size(); i++) {
                checkOutput(firstTry.get(i), outputs.get(i));
            }
            OutputPattern webhook = shape(stepOf(blocks, RECEIVER).output());
            await().atMost(SOON).untilAsserted(() -> assertThat(Files.readString(received))
                    .matches(webhook::isFoundIn, webhook.toString()));
        } finally {
            receiver.kill();
        }
    }

    /** Beside other tests, the first payment after a start can take longer than the 2 s that its response waits. */
    private void awaitFirstPayment() {
        EndToEndMerchant merchant = ligeiro.newMerchant();
        ShownTransaction created = merchant.createCashin(merchant.cashin("10.00"));
        merchant.pay(created.id());
        await().atMost(SOON).until(() -> merchant.show(created.id()).status().equals("paid"));
    }

    private static List<Step> stepsToRun(List<ReadmeBlock> blocks) {
        return blocks.stream()
                .filter(block -> !block.has(START) && !block.has(RECEIVER) && isRun(block))
                .flatMap(block -> block.steps().stream())
                .toList();
    }

    private static boolean isRun(ReadmeBlock block) {
        return NOT_RUN.entrySet().stream()
                .filter(each -> block.has(each.getKey()))
                .peek(each -> System.out.printf("\"%s\" is not run: %s%n", each.getKey(), each.getValue()))
                .findAny()
                .isEmpty();
    }

    private static Step stepOf(List<ReadmeBlock> blocks, String command) {
        List<Step> found = blocks.stream()
                .flatMap(block -> block.steps().stream())
                .filter(step -> step.command().equals(command))
                .toList();
        assertThat(found).as(command).hasSize(1);
        return found.get(0);
    }

    /** Without the output of the build, which came earlier, the order in which the processes become ready, and the bank. */
    private void checkStart(Step start) {
        List<String> shown = start.output().stream()
                .dropWhile(line -> !line.contains(" starts in "))
                .map(line -> line.replace(".ligeiro", ligeiro.home().toString()))
                .toList();
        List<String> printed = ligeiro.output()
                .lines()
                .filter(line -> !line.startsWith("  bank "))
                .toList();
        assertThat(shown).isNotEmpty();
        assertThat(names(printed)).containsExactlyInAnyOrderElementsOf(names(shown));
        checkOutput(new Step(START, withoutReady(shown)), String.join("\n", withoutReady(printed)));
    }

    /** The README says that {@code infra/run} prints the commands. It prints the paths in full. */
    private void requireThatInfraRunPrints(Step step) {
        String command = step.command().replace(".ligeiro", ligeiro.home().toString());
        assertThat(withoutWhiteSpace(ligeiro.output())).contains(withoutWhiteSpace(command));
    }

    private static String withoutWhiteSpace(String text) {
        return text.replaceAll("\\s+", "");
    }

    /** The names of the ready processes. */
    private static List<String> names(List<String> output) {
        return output.stream()
                .filter(ReadmeIT::isReadyLine)
                .map(line -> line.strip().split(" ")[0])
                .toList();
    }

    private static List<String> withoutReady(List<String> output) {
        return output.stream().filter(line -> !isReadyLine(line)).toList();
    }

    private static boolean isReadyLine(String line) {
        return line.contains(" ready after ");
    }

    /** Runs the commands in one shell. */
    private List<String> run(List<Step> steps) throws IOException {
        StringBuilder script = new StringBuilder("set -o pipefail\n");
        for (int i = 0; i < steps.size(); i++) {
            script.append(here(steps.get(i).command())).append('\n');
            script.append("echo \"").append(END_OF_STEP.formatted(i)).append("$?\"\n");
        }
        Path file = Files.writeString(folder.resolve("readme.sh"), script);
        Path output = folder.resolve("readme.out");
        ChildProcess shell = ChildProcess.spawn(
                "shell",
                List.of("bash", "-c", "cd \"$0\" && . \"$1\"", folder.toString(), file.toString()),
                Map.of(),
                output);
        try {
            assertThat(shell.endsWithin(SOON)).as(shell::failureSummary).isTrue();
        } finally {
            shell.kill();
        }
        return split(Files.readString(output), steps);
    }

    private static List<String> split(String output, List<Step> steps) {
        List<String> outputs = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < steps.size(); i++) {
            String end = END_OF_STEP.formatted(i) + "0\n";
            int to = output.indexOf(end, from);
            assertThat(to)
                    .as("%s%n%s", steps.get(i).command(), output.substring(from))
                    .isNotNegative();
            outputs.add(output.substring(from, to));
            from = to + end.length();
        }
        return outputs;
    }

    private void checkOutput(Step step, String output) {
        OutputPattern shape = shape(step.output());
        assertThat(output).as(step.command()).matches(shape::matches, shape.toString());
    }

    private OutputPattern shape(List<String> shown) {
        return OutputPattern.of(shown.stream().map(this::here).toList());
    }

    /** Replaces the README's ports and home with those of the shared system. */
    private String here(String text) {
        return text.replace("http://localhost:8080", ligeiro.environment().baseUrl())
                .replace("127.0.0.1:9000", "127.0.0.1:" + receiverPort)
                .replace(RECEIVER, RECEIVER.replace("9000", Integer.toString(receiverPort)));
    }
}
