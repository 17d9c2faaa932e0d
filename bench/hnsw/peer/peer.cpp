// hnswlib for the comparison. Commands are lines on standard input.
//
//	peer DATA N QUERIES NQ DIM M EF_CONSTRUCTION
//
// "build" prints the seconds; "search EF K" prints the seconds and K numbers per query. Seconds
// are processor time of the thread.
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <hnswlib/hnswlib.h>

static double clockNow() {
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static std::vector<float> load(const char *name, size_t count) {
	std::vector<float> v(count);
	std::ifstream f(name, std::ios::binary);
	if (!f.read(reinterpret_cast<char *>(v.data()), count * sizeof(float))) {
		std::cerr << "peer: cannot read " << name << "\n";
		exit(1);
	}
	return v;
}

int main(int argc, char **argv) {
	if (argc != 8) {
		std::cerr << "usage: peer DATA N QUERIES NQ DIM M EF_CONSTRUCTION\n";
		return 2;
	}
	const size_t n = std::stoul(argv[2]), nq = std::stoul(argv[4]), dim = std::stoul(argv[5]);
	const std::vector<float> data = load(argv[1], n * dim), queries = load(argv[3], nq * dim);
	hnswlib::InnerProductSpace space(dim);
	std::unique_ptr<hnswlib::HierarchicalNSW<float>> index;
	for (std::string verb; std::cin >> verb;) {
		if (verb == "build") {
			index.reset();
			const double from = clockNow();
			index = std::make_unique<hnswlib::HierarchicalNSW<float>>(&space, n, std::stoul(argv[6]), std::stoul(argv[7]));
			for (size_t i = 0; i < n; i++) index->addPoint(&data[i * dim], i);
			std::cout << clockNow() - from << std::endl;
		} else if (verb == "search" && index) {
			size_t ef, k;
			std::cin >> ef >> k;
			index->setEf(ef);
			std::vector<size_t> found;
			found.reserve(nq * k);
			const double from = clockNow();
			for (size_t i = 0; i < nq; i++) {
				auto best = index->searchKnn(&queries[i * dim], k);
				for (; !best.empty(); best.pop()) found.push_back(best.top().second);
			}
			std::cout << clockNow() - from;
			for (size_t id : found) std::cout << ' ' << id;
			std::cout << std::endl;
		} else {
			std::cerr << "peer: what is " << verb << "?\n";
			return 2;
		}
	}
}
