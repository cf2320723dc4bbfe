package dev.ligeiro.desk;

import dev.ligeiro.desk.console.MerchantConsoleApplication;
import org.springframework.boot.SpringApplication;

/**
 * The desk: the operators' API and console on one port, the merchants' console on another. The two are applications of their own in one
 * process: the merchants' one reads nothing but the gateway's public API.
 */
public final class DeskApplication {

    private DeskApplication() {}

    public static void main(String[] args) {
        try {
            SpringApplication.run(OperatorApplication.class, args);
            MerchantConsoleApplication.run(args);
        } catch (RuntimeException logged) {
            // the threads of the one that has started would keep the process alive
            System.exit(1);
        }
    }
}
