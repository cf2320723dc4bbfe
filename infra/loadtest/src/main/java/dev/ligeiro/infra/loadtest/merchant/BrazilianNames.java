package dev.ligeiro.infra.loadtest.merchant;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Full names as common as in Brazil: the chance of a name falls with its rank, so that Maria, José and Silva are each in 5 to 15 % of the
 * full names, and most of the some thousand names are rare.
 */
final class BrazilianNames {

    private static final String[] FIRST =
            """
            Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo Bruno Eduardo
            Felipe Raimundo Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Adriana Juliana Márcia Fernanda Patrícia Aline
            Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz"""
                    .split("\\s+");
    private static final String[] LAST =
            """
            Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares
            Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves
            Santana Teixeira Araújo Melo Barros Castro Pinto Moura Cavalcante Dantas Batista Campos Monteiro Correia Azevedo Borges"""
                    .split("\\s+");
    /** Rare names are made of these. */
    private static final String[] SYLLABLES =
            """
            da de di do du la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo vu
            bal cas fer gon mar par sal val"""
                    .split("\\s+");

    private static final int NAMES = 2_300;
    private static final int PERCENT = 100;
    private static final int SECOND_FIRST_NAME = 25;
    private static final int SECOND_LAST_NAME = 60;
    private static final int DA = 25;

    private BrazilianNames() {}

    static String next(RandomGenerator random) {
        StringBuilder name = new StringBuilder(pick(FIRST, "son", random));
        if (random.nextInt(PERCENT) < SECOND_FIRST_NAME) {
            name.append(' ').append(pick(FIRST, "son", random));
        }
        if (random.nextInt(PERCENT) < DA) {
            name.append(" da");
        }
        name.append(' ').append(pick(LAST, "eira", random));
        if (random.nextInt(PERCENT) < SECOND_LAST_NAME) {
            name.append(' ').append(pick(LAST, "eira", random));
        }
        return name.toString();
    }

    /** The chance of a rank is nearly proportional to 1 / (rank + 1), from rank 0. */
    private static String pick(String[] common, String rareEnd, RandomGenerator random) {
        int rank = (int) Math.pow(NAMES, random.nextDouble()) - 1;
        if (rank < common.length) {
            return common[rank];
        }
        String start = SYLLABLES[rank % SYLLABLES.length];
        return start.substring(0, 1).toUpperCase(Locale.ROOT)
                + start.substring(1)
                + SYLLABLES[rank / SYLLABLES.length]
                + rareEnd;
    }
}
