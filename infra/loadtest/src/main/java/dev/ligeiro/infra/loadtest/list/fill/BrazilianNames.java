package dev.ligeiro.infra.loadtest.list.fill;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Full names as common as in Brazil: the chance of a name falls with its rank, so that Maria, José, Silva and Santos are each in 5 to 15 %
 * of the names, and most of the some thousand names are rare.
 */
final class BrazilianNames {

    private static final String FIRST =
            """
            Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Daniel Marcelo Bruno Eduardo
            Felipe Raimundo Rodrigo Manoel Mateus André Fernando Fábio Leonardo Gustavo Guilherme Leandro Tiago Anderson Ricardo Márcio
            Jorge Sebastião Alexandre Roberto Edson Diego Vítor Sérgio Cláudio Francisca Antônia Adriana Juliana Márcia Fernanda Patrícia
            Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz
            Rita Luana Sônia Renata Eliane Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene
            Terezinha Raimunda Andréia Fabiana Lúcia Raquel Ângela Rafaela Joana Luzia Elaine Daniele""";
    private static final String FIRST_STARTS =
            """
            Edi Rosi Vani Luci Mari Jose Gil Val Adri Cleo Deni Eli Fran Glei Ivani Jani Keli Lindi Neli Osva Ade Roni Suel Tati Fabri
            Waldi Weli Yas Zeni Crisl""";
    private static final String FIRST_ENDS =
            """
            mar son lene ane valdo nilda cleide mira leia neide berto nei ton ra sa line vânia milson élia
            lton mara nice randa zete""";
    private static final String LAST =
            """
            Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares
            Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves
            Santana Teixeira Araújo Melo Barros Castro Pinto Moura Cavalcante Dantas Batista Campos Monteiro Correia Azevedo Borges Bezerra
            Farias Cunha Aguiar Reis Pires Miranda Duarte Xavier Guimarães Coelho Medeiros Tavares Sales Leite Siqueira Matos Macedo
            Peixoto Figueiredo Viana Magalhães Assunção Fonseca Braga Neves Toledo Amaral Queiroz Paiva Bastos Pacheco Vasconcelos Franco
            Camargo Brito Sampaio Antunes Domingues Rezende Esteves Valente Goulart Prado Leal Serra Chaves Lacerda Brandão Bueno""";
    private static final String LAST_STARTS =
            """
            Alm Bar Cal Dom Esp Fer Gam Hor Itab Jord Lam Mon Nog Oliv Pal Quint Rib Sal Tab Urb Val Zan Ber Car Fig Gar Mir Per Sar Tor
            Mend Bel Cast Del Fab Gon Lour Mar Nav Pin""";
    private static final String LAST_ENDS =
            """
            ara eira inho osa edo ino anda eiro iz ento ante ares ucci etti ini otto ão ert ik ov
            ais ona uel era ito anti ola urt ense aldi""";

    /** The chance of a rank is proportional to 1 / (rank + 1.5), from rank 1. */
    private static final double RANK_OFFSET = 1.5;

    private static final int DRAWS = 1 << 16;
    private static final int PERCENT = 100;
    private static final int SECOND_FIRST_NAME = 25;
    private static final int SECOND_LAST_NAME = 60;
    private static final int DA = 25;

    private final String[] first = draws(all(FIRST, FIRST_STARTS, FIRST_ENDS));
    private final String[] last = draws(all(LAST, LAST_STARTS, LAST_ENDS));

    String next(RandomGenerator random) {
        StringBuilder name = new StringBuilder(pick(first, random));
        if (random.nextInt(PERCENT) < SECOND_FIRST_NAME) {
            name.append(' ').append(pick(first, random));
        }
        if (random.nextInt(PERCENT) < DA) {
            name.append(" da");
        }
        name.append(' ').append(pick(last, random));
        if (random.nextInt(PERCENT) < SECOND_LAST_NAME) {
            name.append(' ').append(pick(last, random));
        }
        return name.toString();
    }

    private static String pick(String[] names, RandomGenerator random) {
        return names[random.nextInt(DRAWS)];
    }

    /** The common names, then each start with each end. */
    private static List<String> all(String common, String starts, String ends) {
        List<String> names = new ArrayList<>(words(common));
        for (String end : words(ends)) {
            for (String start : words(starts)) {
                names.add(start + end.toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    private static List<String> words(String text) {
        return List.of(text.split("\\s+"));
    }

    /** Each name as often as its rank says, at least once. */
    private static String[] draws(List<String> names) {
        double sum = 0;
        for (int rank = 1; rank <= names.size(); rank++) {
            sum += 1 / (rank + RANK_OFFSET);
        }
        String[] draws = new String[DRAWS];
        double until = 0;
        int drawn = 0;
        for (int rank = 1; rank <= names.size(); rank++) {
            until += 1 / (rank + RANK_OFFSET) / sum * DRAWS;
            while (drawn < Math.min(DRAWS, Math.round(until))) {
                draws[drawn++] = names.get(rank - 1);
            }
        }
        while (drawn < DRAWS) {
            draws[drawn++] = names.get(0);
        }
        return draws;
    }
}
