package dev.ligeiro.infra.launcher.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One {@code console} block of a page: commands, each after {@code $ }, and their output.
 *
 * @param steps at least one
 */
record ReadmeBlock(List<Step> steps) {

    private static final String PROMPT = "$ ";

    /**
     * @param command may have several lines, as in the README
     * @param output with {@code …} for omitted text; empty when the README shows no output
     */
    record Step(String command, List<String> output) {}

    static List<ReadmeBlock> read(Path readme) {
        List<ReadmeBlock> blocks = new ArrayList<>();
        List<String> block = null;
        for (String line : lines(readme)) {
            if (block == null && line.equals("```console")) {
                block = new ArrayList<>();
            } else if (block != null && line.equals("```")) {
                blocks.add(parse(block));
                block = null;
            } else if (block != null) {
                block.add(line);
            }
        }
        return blocks;
    }

    boolean has(String command) {
        return steps.stream().anyMatch(step -> step.command().startsWith(command));
    }

    private static ReadmeBlock parse(List<String> lines) {
        List<Step> steps = new ArrayList<>();
        int next = 0;
        while (next < lines.size()) {
            if (!lines.get(next).startsWith(PROMPT)) {
                throw new AssertionError("a command after \"$ \" is expected: " + lines.get(next));
            }
            StringBuilder command = new StringBuilder(lines.get(next++).substring(PROMPT.length()));
            while (!isComplete(command.toString()) && next < lines.size()) {
                command.append('\n').append(lines.get(next++));
            }
            List<String> output = new ArrayList<>();
            while (next < lines.size() && !lines.get(next).startsWith(PROMPT)) {
                output.add(lines.get(next++));
            }
            steps.add(new Step(command.toString(), output));
        }
        return new ReadmeBlock(steps);
    }

    /** Whether the shell accepts it; otherwise a quotation continues in the next line. */
    private static boolean isComplete(String command) {
        try {
            Process shell = new ProcessBuilder("bash", "-n", "-c", command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return shell.waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> lines(Path readme) {
        try {
            return Files.readAllLines(readme);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
