package dev.ligeiro.infra.loadtest.generate;

/**
 * What the calls that read are about.
 *
 * @param firstNumber the first of the calls whose transactions are shown, all of them answered
 * @param count how many there are
 * @param lastPage the number of the list's last page
 */
public record Targets(int firstNumber, int count, int lastPage) {

    public static final Targets NONE = new Targets(0, 0, 1);
}
