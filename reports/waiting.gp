# Iterations that each pixel's ray lived (left), and how many of them it owed to congestion (right).
load 'style.gp'
load 'run.gp'
file = 'waiting'
array source = ['alive', 'waiting']
array name = ['alive', 'waiting']
array unit = ['iterations', 'iterations']
array low = [alive_min, 0]
array high = [alive_cut, waiting_cut]
array note = [sprintf('mean %.1f, median %d, most %d', alive_mean, alive_median, alive_max), \
              sprintf('mean %.3g, median %d, most %d', waiting_mean, waiting_median, waiting_max)]
words = waiting_max == 0 ? 'No ray ever waited: each took the shortest way in iterations' : \
    sprintf('Who pays for congestion: %.2g %% of the rays waited', 100.0 * waiting_some / written)
sides = waiting_max > 0 ? 2 : 1
more = run_name.': iterations from a ray''s birth to its pixel' \
    .(waiting_max > 0 ? ' (left), and those beyond the shortest way (right). ' : '. ').'Colours stop at the 99.5th percentile.'.unwritten_note
load 'pixelmaps.gp'
